# An account that is refused again and again, whichever way it comes, costs nobody else a login: new
# sshds shut out an address from which authentication fails, and others may come from there, too.
. tests/system/lib.sh

refused() { # WHAT WORDS…
    local what=$1
    shift
    [ "$(status_of "$@")" -ne 0 ] || fail "$what: succeeded"
    lacks "$what" '^ran|SSH-2.0|^work' "$(cat "$W/out/last")"
}

echo 'nonsense' >>"$ROOT/etc/sbx/policy.ini"
for try in 1 2 3; do
    refused "exec $try" bot 'echo ran' </dev/null
    refused "terminal $try" client ssh -tt bot 'echo ran' </dev/null
    refused "sftp $try" client sftp -b <(echo ls) -s sftp-internal bot
    refused "forward $try" client ssh -W "127.0.0.1:$PORT" bot </dev/null
    refused "back $try" client ssh -N -o ExitOnForwardFailure=yes -R 0:127.0.0.1:1 bot </dev/null
done
same "another account from the same address" hello "$(human 'echo hello')"
lacks "sshd" 'penalty of' "$(grep -v 'without attempting' "$W/sshd/log")"

# Nor does it stay, outside any jail as its sshd is, where it asks for nothing.
client ssh -N bot &
idle=$!
here() { [ -n "$(pgrep -U "$BOT_UID")" ]; }
gone() { ! here; }
wait_until 10 here || fail "the session was never there"
wait_until 10 gone || fail "it stays: $(leftovers)"
wait "$idle" && fail "ssh -N: succeeded"
world_policy
same "with the policy mended" ran "$(bot 'echo ran')"
