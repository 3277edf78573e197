# The login uid is set before the jail is entered and cannot be set by the account.
. tests/system/lib.sh
[ -e /proc/self/loginuid ] || skip "this kernel has no audit"

same "over ssh" "$BOT_UID" "$(bot 'cat /proc/self/loginuid')"
[ "$(status_of bot "echo $HUMAN_UID >/proc/self/loginuid")" -ne 0 ] || fail "the account set it"
output=$(without_terminal "$with_pam" su - "$BOT" -c 'cat /proc/self/loginuid' | tail -n 1)
lacks "by su" 4294967295 "$output"

# Also where the stack has no pam_loginuid.
trap 'world_pam "/etc/pam.d/$SERVICE" "root=$ROOT" "service=$SERVICE"' EXIT
sed -i '/pam_loginuid/d' "/etc/pam.d/$SERVICE"
same "without pam_loginuid" "$BOT_UID" "$(bot 'cat /proc/self/loginuid')"
