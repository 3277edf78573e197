# sbx-init killed: every process of the jail ends, nothing is left, and the next login gets a new jail.
. tests/system/lib.sh

bot 'echo in; setsid sleep 200 & exec sleep 200' >"$W/out/init" 2>/dev/null &
wait_until 20 grep -q in "$W/out/init" || fail "no session"
pid=$(jail_state init_pid)
[ "$pid" -gt 1 ] || fail "no init"
kill -KILL "$pid"
wait_until 15 no_leftovers || fail "left: $(leftovers)"
same "the next login" ok "$(bot 'echo ok')"
