# All terminals of the machine taken: root's next login has none.
PROMISE=P5
SOURCE="one devpts and one utmp for all"
attack() { "$TOOL" terminals 400 >>"$PROOF"; }
success() { grep -qsx 400 "$PROOF"; }
twin() { unconfined; }
