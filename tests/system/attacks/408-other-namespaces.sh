# Any other new namespace, were a capability for it left anywhere.
PROMISE=P4
SOURCE="CVE-2022-0492, CVE-2021-22555 class"
attack() {
    local kind
    for kind in mnt pid net ipc uts cgroup time; do
        "$TOOL" unshare $kind && echo $kind >>"$PROOF"
        "$TOOL" clone $kind && echo $kind >>"$PROOF"
    done
}
success() { proof; }
twin() { unfiltered root; }
