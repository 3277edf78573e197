# A process of the account outside its jail whose first thread has ended: /proc shows it as a zombie, and
# its other threads go on.
PROMISE=P1
SOURCE="pthread_exit(3) in main; on cgroup v1 such a process seems to be in the root group"
NEEDS_RUN=no
attack() { :; }
outside() { # UID
    (cd / && exec setpriv --reuid "$1" --regid "$1" --clear-groups "$TOOL" headless 45 3>&- 4>&-) &
    sleep 1
}
launch() {
    be bot
    outside "$BOT_UID" # before there is a warden that would hear of it
    bot true
    sleep 3
}
success() { # any thread of it
    local status
    for status in $(grep -lE "^Uid:[[:space:]]$WHO_UID[[:space:]]" /proc/[0-9]*/task/[0-9]*/status 2>/dev/null); do
        [ "$(sed -n 's/^Name:[[:space:]]*//p' "$status" 2>/dev/null)" != headless ] || return 0
    done
    return 1
}
after() { local pid; for pid in $(pgrep -U "$WHO_UID"); do kill -KILL "$pid" 2>/dev/null; done; }
twin() {
    be human
    outside "$HUMAN_UID"
}
