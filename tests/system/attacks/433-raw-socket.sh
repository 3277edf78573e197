# A raw socket, for packets of one's own making.
PROMISE=P4
SOURCE="CVE-2020-14386 class"
attack() { "$TOOL" socket 2 3 1 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root; }
