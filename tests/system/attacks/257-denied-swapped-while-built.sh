# Jails that are built while another jail of the account, under an older policy, swaps the directory of a
# denied file with another one all the time: what is read when it has stopped.
PROMISE=P2
SOURCE="a name may stand for something else between each two looks at it"
before() {
    plant "$WORK/one/deep/key"
    mkdir -p "$WORK/two/deep"
    chown -R "$WHO" "$WORK"
}
attack() { :; }
NEEDS_RUN=no
swap() { # for some seconds, then says so
    cat >"$WORK/swap.py" <<'END'
import ctypes, os, sys, time
libc = ctypes.CDLL(None)
def exchange(a, b): libc.renameat2(-100, a, -100, b, 2)
end = time.time() + 6
open("swapping", "w").close()
while time.time() < end:
    exchange(b"one", b"two")
    time.sleep(0.0003)
    exchange(b"one", b"two")
    time.sleep(0.0003)
if not os.path.exists("one/deep/key"): exchange(b"one", b"two")
time.sleep(0.5)
open("stopped", "w").close()
END
    run_as --policy "$W/out/older.ini" -- python3 swap.py 3>&- 4>&- &
    wait_until 10 test -e "$WORK/swapping"
}
read_later() {
    local n
    for n in 1 2 3 4 5 6; do
        for _ in 1 2; do
            run_as "$@" -- bash -c "until [ -e stopped ]; do sleep 0.2; done; cat one/deep/key >>proof" \
                3>&- 4>&- &
        done
        sleep 0.7
    done
    wait_until 30 no_jail_names
}
launch() {
    be bot
    printf '[sandbox]\nenabled = yes\n[filesystem]\nworkspace = ~/work\n' >"$W/out/older.ini"
    world_policy 'deny_read = ~/work/one/deep/key'
    swap
    read_later
}
success() { holds_secret; }
twin() {
    be bot
    before
    swap
    read_later --policy "$W/out/older.ini"
}
