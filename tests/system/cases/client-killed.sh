# The client killed in mid-session: the session ends; what it left running is in the jail and goes with it.
. tests/system/lib.sh

LIMIT=200 client ssh bot 'echo in; sleep 201 & exec sleep 200' >"$W/out/cli" 2>/dev/null &
wait_until 20 grep -q in "$W/out/cli" || fail "no session"
for pid in $(pgrep -f "ssh -F $W/client/config bot echo in"); do kill -KILL "$pid"; done
no_sessions() { [ "$(jail_state sessions)" = 0 ]; }
wait_until 20 no_sessions || fail "the session outlived its client"
"$B/sbxctl" kill --root "$ROOT" "$BOT_UID" || fail "cannot end the jail"
wait_until 5 no_leftovers || fail "left: $(leftovers)"
