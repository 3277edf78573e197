# A better priority than others have.
PROMISE=P5
SOURCE="setpriority(2)"
attack() { "$TOOL" nice -5 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root; }
