# A stopped process hears no signal that asks it to end.
PROMISE=P5
SOURCE="SIGSTOP"
attack() {
    setsid sleep 48 </dev/null >/dev/null 2>&1 &
    kill -STOP $!
    setsid bash -c 'kill -STOP $$; sleep 48' </dev/null >/dev/null 2>&1 &
    disown -a
    sleep 0.2
}
success() { pgrep -U "$WHO_UID" >/dev/null; }
after() { local pid; for pid in $(pgrep -U "$HUMAN_UID"); do kill -KILL "$pid"; done; }
twin() { unconfined; }
