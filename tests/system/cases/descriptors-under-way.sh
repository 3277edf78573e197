# As many descriptors in sockets as the kernel lets the account have under way: another jail of its own is
# refused with the reason, nobody else is kept out, and with the first jail the trouble ends.
. tests/system/lib.sh

cat >"$BOT_HOME/work/fill.py" <<'END'
import resource, socket, time
hard = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 8192)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard)) # more than a warden has
try:
    while True:
        a, b = socket.socketpair()
        a.setblocking(False)
        try:
            for _ in range(200): socket.send_fds(a, [b"x"], [0] * 200)
        except BlockingIOError: pass
        a.detach(), b.detach()
except OSError as error: print(error, flush=True)
time.sleep(30)
END
"$B/sbxctl" run --root "$ROOT" --account "$BOT" -- python3 fill.py >"$W/out/filled" 2>&1 &
holder=$!
wait_until 20 grep -q 'Too many references' "$W/out/filled" || fail "not filled: $(cat "$W/out/filled")"
same "status" 254 "$(status_of "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- true)"
holds "reason" "$BOT_HOME cannot be opened: .*sbxctl kill" "$(cat "$W/out/last")"
same "another account" hello "$(human 'echo hello')"
jails_kill
wait $holder
"$B/sbxctl" run --root "$ROOT" --account "$BOT" -- true || fail "and with the jail it does not end"
