# Logins while the jail is ended again and again.
PROMISE=P1
SOURCE="docs/threat-model.md; ways round a login shell: joining race"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    for i in 1 2 3 4 5; do
        client ssh "$1" 'sleep 1' &
        sleep 0.15
        jails_kill
    done
    wait
    [ "$1" = bot ] || client ssh "$1" 'sleep 2'
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
