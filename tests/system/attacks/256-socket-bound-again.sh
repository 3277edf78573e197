# A service of root's that listens in the view and is started anew while the jail lives: its socket is
# another file then.
PROMISE=P2
SOURCE="a mount protects an object, not a name"
GIVE=(socket)
before() {
    socket=$WHO_HOME/service.sock
    serve "$socket"
    restart() { # as soon as the attack is there
        wait_until 15 test -e "$WORK/.ready" || return
        serve_end
        rm -f "$socket"
        serve "$socket"
        echo "$SERVICE_PID" >"$W/out/service"
        sleep 0.3
        touch "$WORK/.again"
    }
    restart 3>&- 4>&- &
}
after() {
    serve_end
    [ ! -e "$W/out/service" ] || kill "$(cat "$W/out/service")" 2>/dev/null
    rm -f "$socket" "$W/out/service"
}
attack() {
    local try
    : >"$WORK/.ready"
    for try in 1 2 3 4 5 6 7 8 9 10; do
        [ ! -e "$WORK/.again" ] || break
        sleep 0.3
    done
    "$TOOL" dial "$socket" >>"$PROOF"
}
success() { holds_secret; }
twin() { unconfined; }
