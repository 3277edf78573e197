# The same by clone(2).
PROMISE=P4
SOURCE="CVE-2019-7303 class"
attack() { "$TOOL" clone-high && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered; }
