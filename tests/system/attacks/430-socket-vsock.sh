# AF_VSOCK: a way to the hypervisor that knows no network namespace.
PROMISE=P4
SOURCE="no login shell, no second filter"
attack() { "$TOOL" socket 40 1 0 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered || :; proof || skip 'no AF_VSOCK in this kernel'; }
