# The memory of sshd's child, which was root's, and of sbxsh, by /proc/PID/mem.
PROMISE=P4
SOURCE="CVE-2016-8659, CVE-2026-41163 class: a helper left dumpable"
launch() { by_ssh; }
attack() {
    local dir pid
    sleep 60 &
    for dir in /proc/[0-9]*; do
        pid=${dir#/proc/}
        [ "$WALL" = none ] || [ "$pid" != $! ] || continue
        case $(cat $dir/comm) in sshd* | sbxsh | sbx-init | sleep)
            "$TOOL" mem $pid && echo "$(cat $dir/comm)" >>"$PROOF" ;;
        esac
    done
    kill $!
}
success() { proof; }
twin() { unconfined; }
