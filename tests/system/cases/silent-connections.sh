# Connections that say nothing hide no denial: the clerk hears those that speak meanwhile.
. tests/system/lib.sh

cat >"$BOT_HOME/work/hold.py" <<'END'
import socket, time
held, end = [], time.time() + 60
print("holding", flush=True)
while time.time() < end:
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.setblocking(False)
    try:
        s.connect("/run/sbx/session/shell.sock")
        held.append(s)
    except OSError:
        s.close()
        time.sleep(0.002)
    if len(held) > 200:
        held.pop(0).close()
END
chown "$BOT": "$BOT_HOME/work/hold.py"
bot 'python3 hold.py' >"$W/out/hold" 2>/dev/null &
wait_until 20 grep -q holding "$W/out/hold" || fail "no connections"
sleep 1
for n in 1 2 3; do
    same "denial $n" 126 "$(status_of bot "sudo -l $n")"
done
events | grep -o '"command":"sudo -l [123]"' | sort -u >"$W/out/told"
same "their events" 3 "$(wc -l <"$W/out/told")"
jails_kill
