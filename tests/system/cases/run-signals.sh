# sbxctl run passes signals on; killed, it takes its jail with it; `sbxctl kill` ends it from outside.
. tests/system/lib.sh

run() { exec "$B/sbxctl" run --root "$ROOT" --account "$BOT" "$@"; }
only_jail() { jail_names | grep -v '~' | head -n 1; }
is_up() { grep -q up "$W/out/run" 2>/dev/null; }

for signal in TERM INT HUP; do
    rm -f "$W/out/run"
    (run -- bash -c "trap 'exit 9' $signal; echo up; while :; do sleep 0.1; done" >"$W/out/run" 2>&1) &
    pid=$!
    wait_until 20 is_up || fail "not started"
    kill -s "$signal" "$pid"
    wait "$pid"
    same "status after $signal" 9 $?
done

rm -f "$W/out/run"
(run -- sh -c 'echo up; exec sleep 300' >"$W/out/run" 2>&1) &
pid=$!
wait_until 20 is_up || fail "not started"
jail=$(only_jail)
holds "it is listed" "\"jail\":\"$jail\",\"account\":\"$BOT\"" "$("$B/sbxctl" jails --root "$ROOT" --json)"
holds "and counted" '1 live .*, 1 sessions' "$("$B/sbxctl" status --root "$ROOT")"
"$B/sbxctl" events verify --root "$ROOT" >/dev/null || fail "a live chain is not whole"
log=$ROOT/var/log/sbx/$jail.jsonl
cp -p "$log" "$W/out/log"
sed -i '$d' "$log"
same "a live chain cut short is found" 1 "$(status_of "$B/sbxctl" events verify --root "$ROOT")"
cat "$W/out/log" >"$log"
"$B/sbxctl" kill --root "$ROOT" "$jail" || fail "cannot be ended"
wait "$pid"
same "status of the killed" 137 $?
same "ended twice" 1 "$(status_of "$B/sbxctl" kill --root "$ROOT" "$jail")"

rm -f "$W/out/run"
(run -- sh -c 'echo up; exec sleep 300' >"$W/out/run" 2>&1) &
pid=$!
wait_until 20 is_up || fail "not started"
kill -KILL "$pid"
wait_until 15 no_leftovers || fail "left: $(leftovers)"
"$B/sbxctl" events verify --root "$ROOT" || fail "the record is not whole"
