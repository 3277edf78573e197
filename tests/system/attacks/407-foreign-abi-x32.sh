# The same with the x32 bit in the number.
PROMISE=P4
SOURCE="firejail 0.9.38.2; nsjail"
attack() { "$TOOL" x32 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered || :; proof || skip 'this kernel has no x32 calls'; }
