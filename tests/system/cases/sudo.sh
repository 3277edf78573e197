# sudo -u: no login shell. In the jail where there is no terminal, refused where there is one.
. tests/system/lib.sh
command -v sudo >/dev/null || skip "no sudo here"

output=$(without_terminal "$with_pam" sudo -n -u "$BOT" /bin/sh -c 'readlink /proc/self/ns/mnt; id -u; touch ~/outside')
holds "runs" 'mnt:\[' "$output"
holds "uid" "^$BOT_UID" "$output"
lacks "the host's view" "$(readlink /proc/self/ns/mnt | tr -d '[]')" "$(tr -d '[]' <<<"$output")"
[ ! -e "$BOT_HOME/outside" ] || fail "sudo -u wrote outside the workspace"
same "exit status" 9 "$(status_of without_terminal "$with_pam" sudo -n -u "$BOT" /bin/sh -c 'exit 9')"

output=$(with_terminal "$with_pam" sudo -n -u "$BOT" /bin/sh -c 'readlink /proc/self/ns/mnt')
lacks "sudo -u from a terminal" 'mnt:\[' "$output"
# sudo keeps what modules say to itself where it asked for no password: the reason is in the record.
holds "the refusal is recorded, with the remedy" "use 'su - $BOT'" "$(events host)"

# An open_session that fails is not run on after, though sudo would for PAM_SESSION_ERR.
chmod 0777 "$ROOT/run/sbx"
output=$(without_terminal "$with_pam" sudo -n -u "$BOT" /bin/sh -c 'echo ran')
chmod 0755 "$ROOT/run/sbx"
lacks "sudo after a failure" '^ran' "$output"

# Root and others are none of our business.
same "sudo to another account" "$HUMAN_UID" "$(without_terminal "$with_pam" sudo -n -u "$HUMAN" id -u)"
