# -L, -D and -W leave from inside the jail: they reach its loopback and never the host's.
. tests/system/lib.sh

# A service of the host's loopback that the account must not reach, and one of the jail's own.
python3 -c 'import http.server, sys
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"host-secret")
    def log_message(self, *a): pass
s = http.server.HTTPServer(("127.0.0.1", 0), H)
print(s.server_port, flush=True)
s.serve_forever()' >"$W/out/port" &
host=$!
forward='' socks=''
trap 'kill $host $forward $socks 2>/dev/null' EXIT
wait_until 10 test -s "$W/out/port" || fail "no host service"
port=$(cat "$W/out/port")
same "the host reaches it" host-secret "$(fetch "http://127.0.0.1:$port/")"

bot 'echo jail-page >page; nohup python3 -m http.server --bind 127.0.0.1 8123 >/dev/null 2>&1 &
for try in $(seq 100); do (exec 3<>/dev/tcp/127.0.0.1/8123) 2>/dev/null && break; sleep 0.1; done'
local_port=$(world_pick_port) other_port=$(world_pick_port)
LIMIT=100 client ssh -N -L "$local_port:127.0.0.1:8123" -L "$other_port:127.0.0.1:$port" bot &
forward=$!
wait_until 20 bash -c "exec 3<>/dev/tcp/127.0.0.1/$local_port" 2>/dev/null || fail "-L does not listen"
same "-L into the jail" jail-page "$(fetch "http://127.0.0.1:$local_port/page")"
lacks "-L to the host's loopback" host-secret "$(fetch "http://127.0.0.1:$other_port/" 2>&1)"

printf 'GET /page HTTP/1.0\r\n\r\n' >"$W/out/get"
holds "-W into the jail" jail-page "$(client ssh -W 127.0.0.1:8123 bot <"$W/out/get")"
lacks "-W to the host's loopback" host-secret "$(client ssh -W "127.0.0.1:$port" bot <"$W/out/get" 2>&1)"
lacks "-W to a path socket" . "$(client ssh -W /run/dbus/system_bus_socket bot </dev/null 2>/dev/null)"

socks_port=$(world_pick_port)
LIMIT=100 client ssh -N -D "$socks_port" bot &
socks=$!
wait_until 20 bash -c "exec 3<>/dev/tcp/127.0.0.1/$socks_port" 2>/dev/null || fail "-D does not listen"
same "-D into the jail" jail-page "$(fetch_by_socks "$socks_port" 8123)"
lacks "-D to the host's loopback" host-secret "$(fetch_by_socks "$socks_port" "$port" 2>&1)"

# The twin: the same for an account that is not confined reaches the host's service.
holds "-W of another account" host-secret "$(client ssh -W "127.0.0.1:$port" human <"$W/out/get")"
