# First logins at the same moment give one jail, and all of them work.
. tests/system/lib.sh

pids=()
for i in 1 2 3 4; do
    bot "readlink /proc/self/ns/pid; sleep 1" >"$W/out/first$i" 2>&1 &
    pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || fail "a login failed: $(cat "$W"/out/first*)"; done
same "one jail" 1 "$(sort -u "$W"/out/first[1-4] | wc -l)"
same "one name" "$BOT_UID" "$(jail_names)"
[ -z "$(find "$ROOT/run/sbx/jails" -maxdepth 1 -name '*.lock' -o -maxdepth 1 -name '*.launch')" ] ||
    fail "lock or launch file left"
