# The demonstration: a throwaway account, a private sshd, a confined session; everything put back.
.PHONY: run
run:
	@tools/deps --if-missing build test
	@$(MAKE) -s all
	@tools/demo
