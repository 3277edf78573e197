# A supplementary group more: shadow.
PROMISE=P4
SOURCE="CVE-2018-7169 class (setgroups)"
attack() { "$TOOL" join-group 42 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root; }
