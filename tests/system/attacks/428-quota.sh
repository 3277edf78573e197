# Quotas, which also name accounts and file systems.
PROMISE=P4
SOURCE="quotactl(2)"
attack() { "$TOOL" quota && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root || :; proof || skip 'no quota calls in this kernel'; }
