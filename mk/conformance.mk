# make conformance CORPUS=DIR: how verdicts agree with labelled command corpora.
CORPUS ?=
conformance: $(B)/sbxctl
	BUILD=$(B) tests/conformance/run "$(CORPUS)"
