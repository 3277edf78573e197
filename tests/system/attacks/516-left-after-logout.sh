# Left over from a login: it ends with the jail, which root ends.
PROMISE=P5
SOURCE="ways round a login shell; tmux, nohup"
attack() { setsid sleep 49 </dev/null >/dev/null 2>&1 & }
launch() {
    by_ssh
    jails_kill
}
success() { pgrep -U "$WHO_UID" -x sleep >/dev/null; }
after() { local pid; for pid in $(pgrep -U "$HUMAN_UID"); do kill -KILL "$pid"; done; }
twin() {
    be human
    prepare
    human "bash $WORK/.attack ssh"
}
