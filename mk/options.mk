# The options of the command table beside what the installed programs say of themselves: make options
$(B)/optcheck: $(B)/obj/tests/conformance/optcheck.o $(policy_lib)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@ $(INIH)

.PHONY: options
options: $(B)/optcheck
	BUILD=$(B) tests/conformance/options.sh
conformance: options
