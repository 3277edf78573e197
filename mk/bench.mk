# Ratios measured side by side in one run; root.
.PHONY: bench
bench:
	tools/deps --if-missing build test
	$(MAKE) all $(B)/bench/unshare
	tests/bench/run

$(B)/bench/%: tests/bench/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $< -o $@
