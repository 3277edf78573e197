# Code of one's own in the kernel.
PROMISE=P4
SOURCE="finit_module(2)"
attack() { "$TOOL" module /etc/hostname && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root || :; proof || skip 'this kernel takes no modules'; }
