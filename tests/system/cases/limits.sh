# The number of tasks is bounded over all sessions of the account, and the machine lives.
. tests/system/lib.sh

world_policy '[limits]' 'tasks_max = 40' 'open_files = 100' 'file_size = 1M'
bot 'for i in $(seq 25); do sleep 30 & done; echo started; wait' >"$W/out/first" 2>/dev/null &
wait_until 20 grep -q started "$W/out/first" || fail "the first session did not start"
out=$(bot 'for i in $(seq 25); do sleep 30 & done; echo done; kill $(jobs -p)' 2>&1)
holds "the second session meets the account's bound" 'Resource temporarily unavailable|fork' "$out"
same "open files" 100 "$(bot 'ulimit -n')"
same "and the hard one" 100 "$(bot 'ulimit -Hn')"
bot 'head -c 2000000 /dev/zero >big' >/dev/null 2>&1
[ "$(stat -c %s "$BOT_HOME/work/big")" -le 1048576 ] || fail "a file past the limit"
rm -f "$BOT_HOME/work/big"
same "a core limit that keeps pipes out" 1 "$(bot 'ulimit -c; true' | head -n 1 | sed 's/^0$/1/')"

# The twin: without the limit the same number of tasks starts.
world_policy
jails_kill
out=$(bot 'for i in $(seq 60); do sleep 5 & done; echo done; kill $(jobs -p)' 2>&1)
holds "without it" '^done$' "$out"
lacks "without it" 'Resource temporarily unavailable' "$out"
