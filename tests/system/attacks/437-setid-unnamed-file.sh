# An unnamed file with the bit, linked into the tree afterwards.
PROMISE=P4
SOURCE="a mount protects an object, not a name8; open(2), O_TMPFILE"
attack() { "$TOOL" tmpfile "$WORK" "$WORK/x"; }
success() { find "$WORK" -perm /6000 | grep -q .; }
twin() { unfiltered; }
