# -R listens in the jail's network, not on the host's: what it brings in is the client's doing.
. tests/system/lib.sh

python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(5)
print(s.getsockname()[1], flush=True)
while True:
    c, _ = s.accept(); c.sendall(b"from-the-client\n"); c.close()' >"$W/out/port" &
service=$!
trap 'kill "$service" "${remote:-}" 2>/dev/null' EXIT
wait_until 10 test -s "$W/out/port" || fail "no service"
LIMIT=100 client ssh -N -R "127.0.0.1:7001:127.0.0.1:$(cat "$W/out/port")" bot &
remote=$!
read_it='exec 3<>/dev/tcp/127.0.0.1/7001 && cat <&3'
arrives() { [ "$(bot "$read_it" 2>/dev/null)" = from-the-client ]; }
wait_until 15 arrives || fail "-R does not reach the jail"
[ "$(status_of bash -c "$read_it")" -ne 0 ] || fail "-R listens on the host's loopback"
