# Several channels over one connection are one session and one jail, each of them confined.
. tests/system/lib.sh

socket=$W/out/mux
LIMIT=100 client ssh -M -S "$socket" -N bot &
master=$!
trap 'kill "$master" 2>/dev/null' EXIT
wait_until 20 test -S "$socket" || fail "no master connection"
mux() { client ssh -S "$socket" bot "$@"; }

for i in 1 2 3; do
    mux "echo channel $i; readlink /proc/self/ns/pid /proc/self/ns/mnt" >"$W/out/mux$i" &
    eval "p$i=\$!"
done
wait "$p1" && wait "$p2" && wait "$p3" || fail "a channel failed"
same "namespaces of 1 and 2" "$(sed 1d "$W/out/mux1")" "$(sed 1d "$W/out/mux2")"
same "namespaces of 2 and 3" "$(sed 1d "$W/out/mux2")" "$(sed 1d "$W/out/mux3")"
lacks "the host's" "$(readlink /proc/self/ns/pid | tr -d '[]')" "$(tr -d '[]' <"$W/out/mux1")"
same "one session" 1 "$(jail_state sessions)"
same "a terminal on a channel" 0 "$(status_of client ssh -tt -S "$socket" bot true)"
printf 'put %s %s/work/up\n' "$W/client/key.pub" "$BOT_HOME" |
    timeout 30 sftp -q -b - -o "ControlPath=$socket" -F "$W/client/config" bot || fail "sftp on a channel"
[ "$(status_of mux 'touch ~/outside')" -ne 0 ] || fail "a channel wrote outside the workspace"
session_count() { [ "$(jail_state sessions)" = "$1" ]; }
client ssh -S "$socket" -O exit bot 2>/dev/null
wait_until 10 session_count 0 || fail "the session did not end with its connection"
