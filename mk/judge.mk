# The sorted index of the command table, made from the rows themselves.
command_tables := $(sort $(wildcard policy/table_*.c))
$(B)/gen/command_index.h: $(command_tables) tools/command-index.awk mk/judge.mk
	@mkdir -p $(@D)
	@{ printf '/* Made by mk/judge.mk. */\nstruct sbx_command_name {\n    const char *name;\n    unsigned short group, row;\n};\n'; \
	   printf 'static const struct sbx_command_name sbx_command_index[] = {\n'; \
	   awk -f tools/command-index.awk $(command_tables) | LC_ALL=C sort -t '	' -k1,1 | \
	       awk -F '\t' '{ printf "    {\"%s\", %s, %s},\n", $$1, $$2, $$3 }'; \
	   printf '};\n'; } >$@.new && mv $@.new $@

$(B)/obj/policy/command.o $(B)/inside/policy/command.o: $(B)/gen/command_index.h
$(B)/fuzz/obj/policy/command.o: $(B)/gen/command_index.h
