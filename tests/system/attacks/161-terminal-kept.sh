# A background process that keeps root's terminal and reads what is typed there later.
PROMISE=P1
SOURCE="one terminal for two owners"
NEEDS_RUN=no
attack() { perl -e 'open T, "<", "/dev/tty" or open T, "<&0"; fork and exit; setpgrp; $SIG{$_} = "IGNORE" for "HUP", "TTIN", "INT"; sleep 30' & sleep 0.3; }
# The terminal as the kernel shows it among the descriptors of the account's processes. sbxsh itself
# relays it, and shows its descriptors to nobody.
held() {
    local pid fd
    for pid in $(pgrep -U "$WHO_UID"); do
        [ "$(cat "/proc/$pid/comm")" != sbxsh ] || continue
        for fd in /proc/$pid/fd/*; do
            [ "$(stat -L -c %d:%i "$fd" 2>/dev/null)" != "$(cat "$W/out/tty")" ] || return 0
        done
    done
    return 1
}
launch() {
    be bot
    prepare
    with_terminal bash -c "stat -L -c %d:%i /proc/self/fd/0 >$W/out/tty; '$with_pam' su - $BOT -c 'bash $WORK/.attack sealed'; sleep 2" &
    local session=$!
    sleep 1.5
    ! held || touch "$W/out/held"
    wait $session
}
before() { rm -f "$W/out/held"; }
success() { [ -e "$W/out/held" ]; }
after() { local pid; for pid in $(pgrep -U "$HUMAN_UID"); do kill -KILL "$pid"; done; }
twin() {
    be human
    prepare
    with_terminal bash -c "stat -L -c %d:%i /proc/self/fd/0 >$W/out/tty; setpriv --reuid $HUMAN_UID --regid $HUMAN_UID --init-groups bash $WORK/.attack none; sleep 2" &
    local session=$!
    sleep 1.2
    ! held || touch "$W/out/held"
    wait $session
}
