# Modules after ours and sshd's monitor run on the host: root never enters a jail.
. tests/system/lib.sh

rm -f "$W/out/alert"
bot true || fail "cannot log in"
# It runs when the session opens and again when it closes, which may be now.
is_written() { [ "$(wc -l <"$W/out/alert")" = 2 ]; }
wait_until 5 is_written || fail "the later module did not run"
same "a later module of the session stack" "0 $(readlink /proc/self/ns/mnt)" "$(paste -sd' ' "$W/out/alert")"
bot 'echo in; exec sleep 30' >"$W/out/mon" &
wait_until 20 grep -q in "$W/out/mon" || fail "no session"
monitor=$(pgrep -P "$SSHD_PID" -f "$BOT \[priv\]" | head -n 1)
for ns in mnt pid net ipc uts cgroup; do
    same "the monitor's $ns" "$(readlink "/proc/self/ns/$ns")" "$(readlink "/proc/$monitor/ns/$ns")"
done
user=$(pgrep -P "$monitor" | head -n 1)
[ "$(readlink "/proc/$user/ns/net")" != "$(readlink /proc/self/ns/net)" ] || fail "the user's sshd is outside"
for fd in "/proc/$user/fd"/*; do # no socket of the warden's, no root's descriptor stays with the account
    lacks "descriptor of the user's sshd" 'pidfd|memfd|cgroup' "$(readlink "$fd")"
done
