# A client that asks for no command but keeps a connection, and is cut off: nothing of it stays.
PROMISE=P5
SOURCE="ssh -N with forwards; ControlPersist"
NEEDS_RUN=no
attack() { :; }
launch() {
    be bot
    client ssh -N -L "0.0.0.0:$(world_pick_port):127.0.0.1:9" bot &
    local ssh=$! pid
    wait_until 20 jail_lives || fail 'no session'
    sleep 0.7
    for pid in $(pgrep -P "$(pgrep -P $ssh)"); do kill -KILL "$pid"; done # the client itself
    wait $ssh
    jails_kill
}
nothing_left() { ! pgrep -U "$WHO_UID" >/dev/null; }
success() { ! wait_until 5 nothing_left; } # sshd itself takes a moment to notice
after() { local pid; for pid in $(pgrep -U "$HUMAN_UID"); do kill -KILL "$pid"; done; }
twin() { # without a jail a command of that connection stays
    be human
    human 'setsid sleep 50 </dev/null >/dev/null 2>&1 &'
}
