# A denied command is in the record with who, what and where the rule is; events shows, filters and
# verifies it; what an account writes cannot steer the operator's terminal.
. tests/system/lib.sh

world_policy '[permissions]' 'deny = Bash(forbidden:*)'
line=$(grep -n 'deny = Bash(forbidden' "$ROOT/etc/sbx/policy.ini" | cut -d: -f1)
same "denied" 126 "$(status_of bot 'forbidden thing')"
shown() { "$B/sbxctl" events --root "$ROOT" "$@"; }
record=$(shown --kind command --account "$BOT" --json)
holds "verdict" '"verdict":"deny"' "$record"
holds "command" '"command":"forbidden thing"' "$record"
holds "origin" "\"origin\":\"[^\"]*policy.ini:$line\"" "$record"
holds "a line for people" "$BOT: command deny.*forbidden thing.*policy.ini:$line" "$(shown --jail "$BOT_UID")"
same "another kind" '' "$(shown --kind net)"
same "another account" '' "$(shown --account "$HUMAN")"
same "later" '' "$(shown --since 2100-01-01)"
same "no such kind" 2 "$(status_of shown --kind nonsense)"

status_of bot "forbidden $(printf '\033]0;owned\007\xc2\x9b31m')" >/dev/null
lacks "no control byte" "$(printf '[\001-\010\013-\037\177]|\xc2\x9b')" "$(shown)"
"$B/sbxctl" events --root "$ROOT" --follow >"$W/out/follow" 2>&1 &
pid=$!
trap 'kill "$pid" 2>/dev/null' EXIT
status_of bot 'forbidden later' >/dev/null
wait_until 10 grep -q 'forbidden later' "$W/out/follow" || fail "follow does not show it"
kill "$pid"
"$B/sbxctl" events verify --root "$ROOT" || fail "the record is not whole"
