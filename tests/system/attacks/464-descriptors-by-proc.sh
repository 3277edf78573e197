# Descriptors, root and working directory of processes that come from outside: sshd's child, sbxsh,
# pid 1.
PROMISE=P4
SOURCE="CVE-2019-5736, CVE-2024-21626 class"
launch() { by_ssh; }
attack() {
    local dir
    for dir in /proc/[0-9]*; do
        case $(cat $dir/comm) in sshd* | sbxsh | sbx-init | sleep)
            ls $dir/fd/ >/dev/null 2>&1 && echo $dir/fd >>"$PROOF"
            ls $dir/root/ >/dev/null 2>&1 && echo $dir/root >>"$PROOF"
            ls $dir/cwd/ >/dev/null 2>&1 && echo $dir/cwd >>"$PROOF"
            readlink $dir/exe >>"$PROOF"
            head -c 1 $dir/environ >>"$PROOF" ;;
        esac
    done
}
success() { proof; }
twin() {
    as_human sleep 20 &
    unconfined
}
