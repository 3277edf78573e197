# sbx-warden killed: every process of the jail ends, nothing is left, and the next login gets a new jail.
. tests/system/lib.sh

bot 'echo in; setsid sleep 200 & exec sleep 200' >"$W/out/warden" 2>/dev/null &
wait_until 20 grep -q in "$W/out/warden" || fail "no session"
pid=$(jail_state warden_pid)
[ "$pid" -gt 1 ] || fail "no warden"
kill -KILL "$pid"
wait_until 15 no_leftovers || fail "left: $(leftovers)"
same "the next login" ok "$(bot 'echo ok')"
