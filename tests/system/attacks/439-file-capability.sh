# A file capability on a program of one's own.
PROMISE=P4
SOURCE="capabilities(7)"
attack() {
    cp /bin/true "$WORK/true"
    "$TOOL" filecap "$WORK/true"
}
success() { getfattr -n security.capability "$WORK/true" >/dev/null 2>&1 || getcap "$WORK/true" 2>/dev/null | grep -q cap_; }
twin() { unfiltered root; }
