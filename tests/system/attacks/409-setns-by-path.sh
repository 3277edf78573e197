# Into the namespaces of another process, by its links in /proc.
PROMISE=P4
SOURCE="CVE-2022-31214 (firejail --join); CVE-2016-9962 (runc exec)"
attack() {
    local pid kind
    for pid in 1 $PPID self; do
        for kind in uts ipc net cgroup; do
            "$TOOL" setns /proc/$pid/ns/$kind && echo $kind of $pid >>"$PROOF"
        done
    done
}
success() { proof; }
twin() { unfiltered root; }
