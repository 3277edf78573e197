# Refused logins have one budget for all of them together: each is a process of its own. What is over it
# is counted, and the next record says so.
# limit: 200
. tests/system/lib.sh

mkdir -p "$ROOT/run/sbx"
chmod 0777 "$ROOT/run/sbx"
trap 'chmod 0755 "$ROOT/run/sbx"' EXIT
lines() { events host | wc -l; }
dropped() { # all that the records after the first N say
    events host | tail -n "+$(($1 + 1))" | python3 -c 'import json, sys
print(sum(json.loads(line).get("dropped", {}).get("jail", 0) for line in sys.stdin))'
}
refused() { # TIMES
    without_terminal "$with_pam" bash -c "for ((i = 0; i < $1; i++)); do su $BOT -c 'echo ran'; done"
}
before=$(lines)
start=$SECONDS
lacks "a command" '^ran$' "$(refused 400 2>&1)"
took=$((SECONDS - start + 1))
sleep 1 # which gives room for two
refused 1 >/dev/null 2>&1
recorded=$(($(lines) - before))
[ "$recorded" -le $((122 + 2 * (took + 2))) ] || fail "$recorded records of 401 in $took s"
[ "$recorded" -ge 100 ] || fail "only $recorded records"
same "recorded and counted" 401 $((recorded + $(dropped "$before")))
chmod 0755 "$ROOT/run/sbx"
"$B/sbxctl" events verify "$ROOT/var/log/sbx/host.jsonl" || fail "the chain is broken"
same "and works again afterwards" ok "$(bot 'echo ok')"
