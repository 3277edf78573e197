# The shell parser beside bash: make syntax CORPUS=DIR [RANDOM_TEXTS=20000]
$(B)/parsecheck $(B)/textgen: $(B)/%: $(B)/obj/tests/conformance/%.o $(policy_lib)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@

.PHONY: syntax
syntax: $(B)/parsecheck $(B)/textgen
	BUILD=$(B) RANDOM_TEXTS=$(or $(RANDOM_TEXTS),2000) tests/conformance/syntax.sh "$(CORPUS)"
ifneq ($(CORPUS),)
conformance: syntax
endif
