# sshd's monitor killed: its session ends, nothing of it runs outside, and the next login works.
. tests/system/lib.sh

bot 'echo in; exec sleep 200' >"$W/out/mon" 2>/dev/null &
wait_until 20 grep -q in "$W/out/mon" || fail "no session"
monitor=$(pgrep -P "$SSHD_PID" -f "sshd.*: $BOT \[priv\]|sshd-session.*$BOT \[priv\]" | head -n 1)
[ -n "$monitor" ] || fail "no monitor found"
same "one session" 1 "$(jail_state sessions)"
kill -KILL "$monitor"
no_sessions() { [ "$(jail_state sessions)" = 0 ]; }
wait_until 10 no_sessions || fail "the session outlived its monitor"
for pid in $(pgrep -U "$BOT_UID"); do
    [ "$(readlink "/proc/$pid/ns/mnt")" != "$(readlink /proc/self/ns/mnt)" ] ||
        fail "process $pid of the account is outside"
done
same "the next login" ok "$(bot 'echo ok')"
