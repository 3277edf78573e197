# The same by clone(2).
PROMISE=P4
SOURCE="bubblewrap --disable-userns"
attack() { "$TOOL" clone user && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered; }
