# More connections to the control socket than there is room for: the rest is turned away, and the warden
# does not run in circles over them.
. tests/system/lib.sh

bot 'echo in; exec sleep 60' >"$W/out/in" 2>/dev/null &
wait_until 20 grep -q in "$W/out/in" || fail "no session"
ticks() { cut -d' ' -f14,15 "/proc/$pid/stat" | tr ' ' '+'; }
pid=$(jail_state warden)
(
    ulimit -n 4096
    exec python3 - "$(jail_dir)/control.sock" <<'END'
import socket, sys, time
held = []
for n in range(1300):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.connect(sys.argv[1])
    held.append(s)
print("held", flush=True)
time.sleep(60)
END
) >"$W/out/held" 2>&1 &
holder=$!
wait_until 20 grep -q held "$W/out/held" || fail "no connections: $(cat "$W/out/held")"
sleep 1
before=$(($(ticks)))
sleep 2
spent=$(($(ticks) - before))
[ "$spent" -lt 20 ] || fail "the warden used $spent ticks in two seconds"
kill "$holder"
same "the next login" in "$(bot 'echo in')"
