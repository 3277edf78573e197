# The sorted index of the command table, made from the rows themselves.
command_tables := $(sort $(wildcard policy/table_*.c))
$(B)/gen/command_index.h: $(command_tables) tools/command-index.awk mk/judge.mk
	@mkdir -p $(@D)
	@awk -f tools/command-index.awk $(command_tables) | LC_ALL=C sort -t '	' -k1,1 >$@.names
	@{ printf '/* Made by mk/judge.mk. Offsets, no pointers: nothing to relocate when a shell starts. */\n'; \
	   printf 'static const char sbx_command_names[] =\n'; \
	   awk -F '\t' '{ printf "    \"%s\\0\"\n", $$1 }' $@.names; printf '    ;\n'; \
	   printf 'static const struct sbx_command_name {\n    uint16_t name;\n    uint8_t group;\n    uint8_t row;\n} sbx_command_index[] = {\n'; \
	   awk -F '\t' '{ printf "    {%d, %s, %s},\n", at, $$2, $$3; at += length($$1) + 1 }' $@.names; \
	   printf '};\n'; } >$@.new && mv $@.new $@ && rm $@.names

$(B)/obj/policy/command.o $(B)/inside/policy/command.o: $(B)/gen/command_index.h
$(B)/fuzz/obj/policy/command.o: $(B)/gen/command_index.h
