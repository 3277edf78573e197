# A service that is not listed is refused for a confined account, in acct_mgmt, and says so.
. tests/system/lib.sh

trap 'world_pam "/etc/pam.d/$SERVICE" "root=$ROOT" "service=$SERVICE"' EXIT
world_pam "/etc/pam.d/$SERVICE" "root=$ROOT"
output=$(client ssh -o LogLevel=INFO bot 'echo ran' 2>&1)
[ $? -ne 0 ] || fail "logged in"
lacks "no command" '^ran' "$output"
holds "the sentence" 'sbx: login refused: this account may not be used this way' "$output"
holds "the event names the service" "service $SERVICE is not for confined accounts" "$(events host)"
same "others are untouched" hello "$(human 'echo hello')"

# A misspelt word on the PAM line is no missing restriction.
world_pam "/etc/pam.d/$SERVICE" "root=$ROOT" "service=$SERVICE" "jion=child"
[ "$(status_of bot 'echo ran')" -ne 0 ] || fail "logged in past a misspelt PAM line"
same "others are untouched by it" hello "$(human 'echo hello')"
