# The same after all of the jail's helpers were killed at once, and the next login.
PROMISE=P11
SOURCE="promise P11: after SIGKILL too"
NEEDS_RUN=no
attack() { :; }

# Everything below a folder that a listing can show: names, kinds, modes, owners, sizes, times, links.
trace() { find "$1" -printf "%P %y %m %U:%G %s %T@ %l\n" | sort; }
before() { trace "$WHO_HOME" >"$W/out/trace"; }
launch() {
    be bot
    world_policy 'deny_write = ~/work/absent' 'deny_read = ~/.ssh' 'allow_write = ~/work/gone'
    bot 'sleep 30' &
    local session=$! pid
    wait_until 10 pgrep -x -U "$BOT_UID" sleep >/dev/null
    for pid in $(pids_of_world); do kill -KILL "$pid"; done
    wait_until 5 gone || :
    wait $session
    bot true # where nobody was left to clean up, the next login does
}
gone() { ! pgrep -U "$BOT_UID" >/dev/null; }
success() { ! trace "$WHO_HOME" | cmp -s - "$W/out/trace" || [ -n "$(pgrep -x -U "$WHO_UID" sleep)" ] || grep -q " $WHO_HOME" /proc/self/mountinfo; }
twin() { # on the host's own mounts a killed helper leaves them
    be human
    unshare --mount --propagation private true # a namespace of its own leaves nothing; without one:
    mount --bind "$HUMAN_HOME/work" "$HUMAN_HOME/work"
}
after() { umount "$HUMAN_HOME/work" 2>/dev/null; }
