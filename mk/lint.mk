# make lint: every check of tools/lint. CHECK='layers globals' runs some of them.
.PHONY: lint objects analyze
lint_src := $(policy_src) $(jail_src) $(wildcard warden/*.c) $(pam_src) $(sbxsh_src) $(line_src) $(sbxctl_src)

lint: export LINT_SRC := $(lint_src)
lint: export LINT_FLAGS = $(CPPFLAGS)
lint: $(B)/gen/command_index.h
	@tools/lint $(CHECK)

# Objects of the whole product, for the checks that look at symbols.
objects: $(call obj,$(lint_src))

# The same sources under gcc's analyser, in a build folder of their own, so that a second run only
# looks at what changed. Two of its warnings are off: it loses what is stored into an array that grows
# (leaks), and takes variables with the cleanup attribute for unset ones.
analyze:
	$(MAKE) B=build/analyzer HARDEN=-fno-strict-aliasing objects \
	    OPT='-O1 -g -fanalyzer -Wno-analyzer-malloc-leak -Wno-analyzer-use-of-uninitialized-value'
