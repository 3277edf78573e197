# The newer mount calls, which a filter written before them does not know.
PROMISE=P4
SOURCE="CVE-2020-29373 class; container escapes by fsopen"
attack() {
    "$TOOL" open-tree / && echo open_tree >>"$PROOF"
    "$TOOL" fsopen proc && echo fsopen >>"$PROOF"
    "$TOOL" mount-setattr /tmp && echo mount_setattr >>"$PROOF"
}
success() { proof; }
twin() { unfiltered root; }
