# A jail that ends looks for late askers as long as there are some: one call more than they are.
. tests/system/lib.sh
command -v strace >/dev/null || skip "strace is not installed"

same "a session" in "$(bot 'echo in')"
warden=$(jail_state warden_pid)
traced() { grep -q "^TracerPid:[[:space:]]*[1-9]" "/proc/$warden/status"; }
strace -qq -o "$W/out/trace" -e trace=accept4 -p "$warden" &
tracer=$!
wait_until 10 traced || fail "cannot be traced"
"$B/sbxctl" kill --root "$ROOT" "$BOT_UID" || fail "not ended"
wait $tracer
calls=$(grep -c accept4 "$W/out/trace")
[ "$calls" -ge 2 ] && [ "$calls" -le 8 ] || fail "$calls calls of accept for one asker"
