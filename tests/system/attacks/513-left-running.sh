# A process that does not want to end with the jail.
PROMISE=P5
SOURCE="nohup, setsid, double fork"
attack() {
    (setsid sleep 47 </dev/null >/dev/null 2>&1 &)
    nohup bash -c 'trap "" TERM HUP INT QUIT; sleep 47' </dev/null >/dev/null 2>&1 &
    perl -e 'fork and exit; setpgrp; $SIG{$_} = "IGNORE" for keys %SIG; exec "sleep", 47' &
    disown -a
    sleep 0.2
}
success() { pgrep -U "$WHO_UID" -x sleep >/dev/null; }
after() { kill_all; }
kill_all() { local pid; for pid in $(pgrep -U "$HUMAN_UID"); do kill -KILL "$pid"; done; }
twin() { unconfined; }
