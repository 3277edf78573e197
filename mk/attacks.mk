# build/attack: the small hostile programs that tests/system/attacks run in a jail.
attack_src := $(wildcard tests/system/tools/*.c)

$(B)/attack: $(patsubst %.c,$(B)/obj/%.o,$(attack_src))
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -static-pie $^ -o $@
