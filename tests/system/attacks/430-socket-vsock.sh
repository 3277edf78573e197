# AF_VSOCK: a way to the hypervisor that knows no network namespace.
PROMISE=P4
SOURCE="red-team A8"
attack() { "$TOOL" socket 40 1 0 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered || :; proof || skip 'no AF_VSOCK in this kernel'; }
