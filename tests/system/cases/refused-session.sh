# A jail that cannot be had refuses the login: status 254, one fixed sentence, the reason in the log,
# an event; no shell, no sftp, no forwarding, and nothing left behind.
. tests/system/lib.sh

chmod 0777 "$ROOT/run/sbx" 2>/dev/null || { mkdir -p "$ROOT/run/sbx" && chmod 0777 "$ROOT/run/sbx"; }
trap 'chmod 0755 "$ROOT/run/sbx"' EXIT
output=$(client ssh -o LogLevel=INFO bot 'echo ran' 2>&1)
same "status" 254 $?
lacks "no command" '^ran' "$output"
holds "one sentence" 'sbx: login refused: .*system log' "$output"
lacks "no path of ours" 'run/sbx|/tmp/' "$output"
same "terminal" 254 "$(status_of client ssh -tt bot 'echo ran')"
for subsystem in sftp sftp-internal; do
    [ "$(echo ls | status_of client sftp -b - -s "$subsystem" bot)" -ne 0 ] || fail "$subsystem worked"
done
[ "$(status_of client ssh -W "127.0.0.1:$PORT" bot </dev/null)" -ne 0 ] || fail "-W worked"
holds "an event" '"action": *"refuse"' "$(events host)"
holds "with the account" "\"account\": *\"$BOT\"" "$(events host)"
chmod 0755 "$ROOT/run/sbx"
same "and works again afterwards" ok "$(bot 'echo ok')"
