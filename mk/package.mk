# Packages, from a clean copy of the tree: build/package/{deb,rpm}/.
.PHONY: deb rpm
deb:
	@tools/deps --if-missing build package
	tools/package deb $(B)/package/deb

rpm:
	@tools/deps --if-missing build package
	tools/package rpm $(B)/package/rpm
