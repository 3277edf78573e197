# A system call by int 0x80: other numbers, which mean other calls to a filter that does not look
# at the ABI.
PROMISE=P4
SOURCE="firejail 0.9.38.2; seccomp(2), Architecture"
attack() { "$TOOL" int80 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered || :; proof || skip 'this kernel has no 32-bit calls'; }
