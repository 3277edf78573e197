# Or code taken out of it.
PROMISE=P4
SOURCE="delete_module(2)"
attack() { "$TOOL" module-unload && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root || :; proof || skip 'this kernel takes no modules'; }
