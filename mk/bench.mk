# Ratios measured side by side in one run; root. BENCH_JAILS=N: how many live jails the last row has.
.PHONY: bench
bench:
	@tools/deps --if-missing build test bench
	@$(MAKE) -s all $(B)/bench/timer $(B)/bench/build $(B)/bench/parse
	@tests/bench/run

$(B)/bench/%: $(B)/obj/tests/bench/%.o $(shared_lib) $(jail_lib) $(policy_lib)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@ $(INIH) $(SECCOMP) $(CAPNG) $(JSON) $(MD)

# What judging costs; no root. SHAPES='parens braces': those hostile megabytes alone.
.PHONY: bench-judge
bench-judge: $(B)/bench/judge $(B)/bench/parse
	$(B)/bench/judge $(SHAPES)
	$(B)/bench/parse heap
