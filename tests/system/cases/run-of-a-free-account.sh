# `sbxctl run` takes an account that policy does not confine: its owner's own logins and processes live
# on beside the jail. The twin is stray-ended.
. tests/system/lib.sh

"$B/sbxctl" run --root "$ROOT" --account "$HUMAN" -- sleep 30 >/dev/null 2>&1 &
run=$!
jail_of_human() { ls "$ROOT/run/sbx/jails" | grep -q "^$HUMAN_UID-[0-9]*$"; }
wait_until 20 jail_of_human || fail "no jail"
sleep 1.5 # past the first scan
same "a login of its owner" ok "$(human 'sleep 1; echo ok')"
same "a process of its owner" 0 "$(status_of as_human sleep 1)"
kill "$run"
wait "$run" || true
