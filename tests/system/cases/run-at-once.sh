# Many runs at once: each has a jail and a number of its own, and its own status.
. tests/system/lib.sh

chains() { grep -ls '"service":"run"' "$ROOT"/var/log/sbx/"$BOT_UID"-*.jsonl | wc -l; }
before=$(chains)
pids=()
for n in $(seq 20); do
    "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- sh -c "exit $n" >"$W/out/run.$n" 2>&1 &
    pids+=($!)
done
for n in $(seq 20); do
    wait "${pids[n - 1]}"
    same "status of run $n" "$n" $?
done
no_jail_names || fail "left: $(jail_names)"
same "chains" $((before + 20)) "$(chains)"
"$B/sbxctl" events verify --root "$ROOT" || fail "the record is not whole"
