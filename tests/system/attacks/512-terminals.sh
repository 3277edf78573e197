# All terminals of the machine taken: root's next login has none.
PROMISE=P5
SOURCE="a mount protects an object, not a name3"
attack() { "$TOOL" terminals 400 >>"$PROOF"; }
success() { grep -qsx 400 "$PROOF"; }
twin() { unconfined; }
