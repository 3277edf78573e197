# The kernel's log: addresses, and what other accounts did.
PROMISE=P4
SOURCE="kernel pointers in dmesg"
attack() { "$TOOL" dmesg && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root; }
