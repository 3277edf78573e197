# An unnamed file with the bit, linked into the tree afterwards.
PROMISE=P4
SOURCE="set-id bits outlive a nosuid view; open(2), O_TMPFILE"
attack() { "$TOOL" tmpfile "$WORK" "$WORK/x"; }
success() { find "$WORK" -perm /6000 | grep -q .; }
twin() { unfiltered; }
