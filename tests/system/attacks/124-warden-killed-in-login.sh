# Logins while wardens are killed: refused, or in a jail.
PROMISE=P1
SOURCE="promise P1"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    for i in 1 2 3 4; do
        client ssh "$1" 'sleep 1' &
        sleep 0.2
        for pid in $(pids_of_world); do kill -KILL "$pid"; done
    done
    wait
    client ssh "$1" 'sleep 1' # after a kill in the midst of building the next login cleans up
}
# Something of the account's is in the host's view.
is_outside() {
    local pid
    for pid in $(pgrep -U "$WHO_UID"); do
        [ "$(readlink "/proc/$pid/ns/mnt")" != "$(readlink /proc/self/ns/mnt)" ] || return 0
    done
    return 1
}
watch() { # HOST: looks again and again while the session lives
    local try
    rm -f "$W/out/outside"
    session "$1" </dev/null >"$W/out/session" 2>&1 3>&- 4>&- &
    local session=$!
    for try in $(seq 40); do
        ! is_outside || { sleep 0.3; ! is_outside || touch "$W/out/outside"; }
        [ ! -e "$W/out/outside" ] || break
        sleep 0.05
    done
    for try in $(pgrep -P $session) $session; do kill "$try" 2>/dev/null; done
    wait $session
}
launch() {
    be bot
    watch bot
}
success() { [ -e "$W/out/outside" ]; }
after() {
    local pid
    rm -f "$W/out/outside"
    for pid in $(pgrep -U "$HUMAN_UID"); do kill "$pid"; done
}
twin() {
    be human
    watch human
}
