# A device of the machine's by a node of one's own.
PROMISE=P4
SOURCE="mknod(2)"
attack() {
    "$TOOL" mknod "$WORK/zero" c 1 5 && head -c 4 "$WORK/zero" >"$PROOF"
}
success() { proof; }
twin() {
    be human
    prepare
    bash "$WORK/.attack"
}
