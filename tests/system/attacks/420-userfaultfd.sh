# userfaultfd makes kernel races easy to win.
PROMISE=P4
SOURCE="CVE-2021-22555 exploits"
attack() { "$TOOL" userfaultfd && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered || :; proof || skip 'no userfaultfd for users here'; }
