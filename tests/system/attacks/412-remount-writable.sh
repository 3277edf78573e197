# The read-only view made writable again.
PROMISE=P4
SOURCE="CVE-2021-20199 class; docker --privileged notes"
attack() { "$TOOL" mount none /usr none 0x1020 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root; }
