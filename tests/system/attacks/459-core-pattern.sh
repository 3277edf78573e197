# Files of the kernel that name a program which root runs. What is written is what is there.
PROMISE=P4
SOURCE="CVE-2022-0492 style: core_pattern, release_agent, modprobe"
attack() {
    local file
    for file in core_pattern modprobe hotplug poweroff_cmd; do
        file=/proc/sys/kernel/$file
        { cat $file >$file; } 2>/dev/null && echo $file >>"$PROOF"
    done
}
success() { proof; }
twin() {
    be human
    prepare
    bash "$WORK/.attack"
}
