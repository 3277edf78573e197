# What must be installed first. `make test` and `make run` call it when something is missing.
.PHONY: deps
deps:
	tools/deps build test lint package
