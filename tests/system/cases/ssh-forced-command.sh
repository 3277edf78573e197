# command= in authorized_keys: the forced command runs, judged and in the jail; the asked one does not.
. tests/system/lib.sh

trap 'cp "$W/client/key.pub" "$W/keys/$BOT"' EXIT
echo "command=\"echo forced; echo asked=\$SSH_ORIGINAL_COMMAND\" $(cat "$W/client/key.pub")" >"$W/keys/$BOT"
output=$(bot 'touch asked')
holds "the forced command" '^forced' "$output"
[ ! -e "$BOT_HOME/work/asked" ] || fail "the asked command ran"

echo "command=\"touch $BOT_HOME/outside\" $(cat "$W/client/key.pub")" >"$W/keys/$BOT"
[ "$(status_of bot true)" -ne 0 ] || fail "a forced command wrote outside the workspace"
[ ! -e "$BOT_HOME/outside" ] || fail "the file is there"

# environment= must not reach the loader or bash; sshd has PermitUserEnvironment no, the shell a fresh one.
echo "environment=\"LD_PRELOAD=/x.so\",environment=\"BASH_ENV=/tmp/evil\" $(cat "$W/client/key.pub")" >"$W/keys/$BOT"
lacks "environment of the key" 'LD_PRELOAD|BASH_ENV' "$(bot env)"
