# What processes share, by comparing kernel addresses.
PROMISE=P4
SOURCE="kcmp(2): kernel pointers compared"
attack() {
    sleep 5 &
    "$TOOL" kcmp $! && echo compared >"$PROOF"
    kill $!
}
success() { proof; }
twin() { unfiltered || :; proof || skip 'no kcmp in this kernel'; }
