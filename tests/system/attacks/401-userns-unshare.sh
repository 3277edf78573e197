# A user namespace of the account's own opens the kernel surface that is meant for root.
PROMISE=P4
SOURCE="CVE-2022-0185 class"
attack() { "$TOOL" unshare user && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered; }
