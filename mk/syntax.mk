# The shell parser against bash: build/parsecheck reads many texts at once.
$(B)/parsecheck: $(call obj,tests/conformance/parsecheck.c) $(policy_lib)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@
