# make fuzz: every tests/fuzz/fuzz_NAME.c for FUZZ_SECONDS, from tests/fuzz/corpus/NAME. What is found
# new stays in build/fuzz/NAME; an input that fails is written there as crash-… and ends the run.
#
# make fuzz FUZZ='ini path' FUZZ_SECONDS=600
FUZZ_SECONDS ?= 20
FUZZ     ?= $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_CC  ?= clang
# Seconds for one input. The arena bounds what an input can take; a busy machine needs more of them.
FUZZ_TIMEOUT ?= 30
FUZZ_SAN := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
FUZZ_CFLAGS := -std=gnu11 -O1 -g -Wall -Wextra $(FUZZ_SAN)

$(B)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(CPPFLAGS) $(FUZZ_CFLAGS) -MMD -MP -c $< -o $@

$(B)/fuzz/fuzz_print: $(patsubst %,$(B)/fuzz/obj/tests/conformance/%.o,shell_print shell_same)
$(B)/fuzz/fuzz_%: $(B)/fuzz/obj/tests/fuzz/fuzz_%.o $(patsubst %.c,$(B)/fuzz/obj/%.o,$(policy_src))
	$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer $^ -o $@ $(INIH)

.PHONY: fuzz fuzz-build
# Kept, although only a chain of rules speaks of them.
.SECONDARY: $(patsubst %.c,$(B)/fuzz/obj/%.o,$(policy_src) $(wildcard tests/fuzz/*.c))
fuzz-build: $(FUZZ:%=$(B)/fuzz/fuzz_%)

fuzz: fuzz-build
	@set -e; for name in $(FUZZ); do \
	    mkdir -p $(B)/fuzz/$$name tests/fuzz/corpus/$$name; \
	    echo "fuzz $$name: $(FUZZ_SECONDS) s"; \
	    more=; [ $$name != ini ] || more=tests/policy/cases; \
	    dict=tests/fuzz/$$name.dict; [ -f $$dict ] && dict=-dict=$$dict || dict=; \
	    $(B)/fuzz/fuzz_$$name -max_total_time=$(FUZZ_SECONDS) -timeout=$(FUZZ_TIMEOUT) -rss_limit_mb=2048 \
	        -print_final_stats=1 -artifact_prefix=$(B)/fuzz/$$name/ $$dict \
	        $(B)/fuzz/$$name tests/fuzz/corpus/$$name $$more >$(B)/fuzz/$$name.log 2>&1 || { \
	            tail -n 40 $(B)/fuzz/$$name.log; echo "fuzz $$name: FAILED, $(B)/fuzz/$$name.log"; exit 1; }; \
	    sed -n 's/^stat::number_of_executed_units: */fuzz '$$name': ok, executions: /p' $(B)/fuzz/$$name.log; \
	done

-include $(shell find $(B)/fuzz/obj -name '*.d' 2>/dev/null)
