# make conformance: how verdicts agree with labelled lists, each command also in other spellings.
# make conformance CORPUS=DIR: those of that folder as well, and the parser beside bash.
CORPUS ?=
$(B)/vary: $(call obj,tests/conformance/vary.c)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@

conformance: $(B)/sbxctl $(B)/vary
	BUILD=$(B) tests/conformance/run "$(CORPUS)"
