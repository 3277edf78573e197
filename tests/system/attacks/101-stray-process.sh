# A process of the account outside its jail, however it came there: systemd User=, setpriv, docker.
PROMISE=P1
SOURCE="docs/threat-model.md: the net under the join"
NEEDS_RUN=no
attack() { :; }
outside() { # UID
    (cd / && exec setpriv --reuid "$1" --regid "$1" --clear-groups sleep 45 3>&- 4>&-) &
    sleep 2
}
launch() {
    be bot
    bot true
    outside "$BOT_UID"
}
success() { pgrep -x -U "$WHO_UID" sleep >/dev/null; }
after() { local pid; for pid in $(pgrep -x -U "$HUMAN_UID" sleep); do kill "$pid"; done; }
twin() {
    be human
    outside "$HUMAN_UID"
}
