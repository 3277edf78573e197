# What the judge says a text starts, beside what bash starts: make argv CORPUS=DIR [RANDOM_TEXTS=20000]
argv_tools := $(addprefix $(B)/,argvcheck argvrun argvgen argvhook.so)
argv_obj := $(addprefix $(B)/obj/tests/conformance/,argvcheck.o argv_predict.o argv_match.o)
$(B)/argvcheck: $(argv_obj) $(policy_lib)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@ $(INIH)
$(B)/argvrun: $(B)/obj/tests/conformance/argvrun.o
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@
$(B)/argvhook.so: $(B)/obj/tests/conformance/argvhook.o
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared $^ -o $@
$(B)/argvgen: $(B)/obj/tests/conformance/argvgen.o
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@

.PHONY: argv
argv: $(argv_tools)
	BUILD=$(B) RANDOM_TEXTS=$(or $(RANDOM_TEXTS),500) tests/conformance/argv.sh "$(CORPUS)"
conformance: argv

# The tree back to text: make roundtrip CORPUS=DIR [RANDOM_TEXTS=20000]
$(B)/roundtrip: $(addprefix $(B)/obj/tests/conformance/,roundtrip.o shell_print.o shell_same.o) $(policy_lib)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@
.PHONY: roundtrip
roundtrip: $(addprefix $(B)/,roundtrip argvrun argvgen textgen argvhook.so)
	BUILD=$(B) RANDOM_TEXTS=$(or $(RANDOM_TEXTS),2000) tests/conformance/roundtrip.sh "$(CORPUS)"
conformance: roundtrip
