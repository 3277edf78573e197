# A login that is refused, again and again: no folder, mount, group or process per attempt.
PROMISE=P11
SOURCE="promise P11"
NEEDS_RUN=no
attack() { :; }
counts() {
    find "$ROOT/run" -mindepth 3 | wc -l
    find /sys/fs/cgroup -path '*sbx*' -name "*$BOT_UID*" | wc -l
    grep -c . /proc/self/mountinfo
    pids_of_world | wc -l
}
before() { counts >"$W/out/counts"; }
launch() {
    be bot
    world_policy 'workspace = ~/work/none/at/all' '[limits]' 'tasks_max = 0'
    local n
    for n in 1 2 3 4 5; do bot true; done
    jails_kill
    wait_until 5 same_counts || :
}
same_counts() { counts | cmp -s - "$W/out/counts"; }
success() { ! same_counts; }
twin() { # what it would look like
    mkdir -p "$ROOT/run/sbx/jails/left"
}
after() { rmdir "$ROOT/run/sbx/jails/left" 2>/dev/null; }
