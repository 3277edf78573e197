# make vm           every guest of tests/vm/guests
# make vm VM=smoke  one guest, the short list of checks
.PHONY: vm
vm:
	@tools/deps --if-missing build package vm
	@$(MAKE) -s all $(B)/attack
	tools/package deb $(B)/package/deb
	tests/vm/run $(or $(VM),all)
