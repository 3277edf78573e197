# Warden and janitor killed at once: the sweep that the unit runs afterwards finds what is left, ends
# it and records the end; the next login works either way.
. tests/system/lib.sh

bot 'echo in; exec sleep 200' >"$W/out/both" 2>/dev/null &
wait_until 20 grep -q in "$W/out/both" || fail "no session"
pid=$(jail_state warden)
janitor=$(pgrep -P "$pid" -x sbx-janitor)
[ "$janitor" -gt 1 ] || fail "no janitor"
"$B/sbx-warden" --sweep "$BOT_UID" --root "$ROOT" || fail "sweep beside a live warden"
jail_lives || fail "the sweep took a live jail"
kill -STOP "$pid"
kill -KILL "$janitor" "$pid"
wait_until 10 test ! -e "/proc/$pid/exe" || fail "the warden lives"
"$B/sbx-warden" --sweep "$BOT_UID" --root "$ROOT" || fail "sweep"
wait_until 10 no_leftovers || fail "left: $(leftovers)"
holds "the end is recorded" '"action":"end"' "$(events | tail -n 1)"
same "the next login" in "$(bot 'echo in')"
