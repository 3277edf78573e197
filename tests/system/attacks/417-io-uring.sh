# io_uring does what filtered calls do, unseen by filters and by notification.
PROMISE=P4
SOURCE="nsjail 341; Google kCTF: 60% of kernel exploits in 2022"
attack() { "$TOOL" io-uring && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered || :; proof || skip 'io_uring is off on this machine'; }
