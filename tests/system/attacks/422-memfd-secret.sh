# Memory that no one may look into, root included.
PROMISE=P4
SOURCE="memfd_secret(2)"
attack() { "$TOOL" memfd-secret && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered || :; proof || skip 'no secret memory on this machine'; }
