# su: the session enters in open_session. With sbxsh as the shell it works from a terminal too, which
# sbxsh relays; whatever would give the account somebody else's terminal is refused, with the remedy.
. tests/system/lib.sh

inside() { # OUTPUT: the mount namespace in it is not ours
    holds "runs" 'mnt:\[' "$1"
    lacks "the host's view" "$(readlink /proc/self/ns/mnt | tr -d '[]')" "$(tr -d '[]' <<<"$1")"
}
command='readlink /proc/self/ns/mnt; id -u'

output=$(without_terminal "$with_pam" su - "$BOT" -c "$command")
inside "$output"
holds "uid" "^$BOT_UID" "$output"
inside "$(without_terminal "$with_pam" su "$BOT" -c "$command")"
same "exit status" 9 "$(status_of without_terminal "$with_pam" su - "$BOT" -c 'exit 9')"
[ "$(status_of without_terminal "$with_pam" su - "$BOT" -c 'touch ~/outside')" -ne 0 ] ||
    fail "su wrote outside the workspace"

output=$(with_terminal "$with_pam" su - "$BOT" -c "$command; tty")
inside "$output"
holds "a terminal of the jail's own" '/dev/pts/[0-9]+' "$output"

# Streams that lead elsewhere do not take the terminal from a session: /dev/tty would lead to it.
echo 'echo from the jail >/dev/tty; echo done; tty </dev/tty' >"$W/out/script"
for how in "su - $BOT" "su --session-command='$(cat "$W/out/script")' - $BOT"; do
    output=$(with_terminal "$with_pam" bash -c "$how <$W/out/script >$W/out/log 2>&1")
    lacks "$how: the terminal" 'from the jail' "$output"
    holds "$how: runs" '^done$' "$(cat "$W/out/log")"
done

output=$(with_terminal "$with_pam" su -s /bin/sh "$BOT" -c "$command")
lacks "su -s from a terminal" 'mnt:\[' "$output"
holds "the remedy" 'su - ACCOUNT' "$output"
for option in --shell=/bin/sh --sh=/bin/sh -s/bin/sh; do
    lacks "su $option from a terminal" 'mnt:\[' "$(with_terminal "$with_pam" su "$option" "$BOT" -c "$command")"
done
output=$(SHELL=/bin/sh with_terminal "$with_pam" su -m "$BOT" -c "$command")
lacks "su -m from a terminal" 'mnt:\[' "$output"

# Without a terminal another shell is in the jail like every process.
output=$(without_terminal "$with_pam" su -s /bin/sh "$BOT" -c "$command")
inside "$output"
holds "the refusal is recorded" '"action": *"refuse".*"service": *"su"' "$(events host)"
