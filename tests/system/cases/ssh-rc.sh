# ~/.ssh/rc runs through the login shell, in the jail, before the command.
. tests/system/lib.sh

cat >"$BOT_HOME/.ssh/rc" <<'END'
readlink /proc/self/ns/mnt >~/work/rc-ran
touch ~/outside 2>/dev/null
END
chown "$BOT:" "$BOT_HOME/.ssh/rc"
trap 'rm -f "$BOT_HOME/.ssh/rc"' EXIT
inside=$(bot 'readlink /proc/self/ns/mnt')
holds "the command runs" '^mnt:' "$inside"
if [ -e "$BOT_HOME/work/rc-ran" ]; then
    same "rc ran in the jail" "$inside" "$(cat "$BOT_HOME/work/rc-ran")"
fi
[ ! -e "$BOT_HOME/outside" ] || fail "rc wrote outside the workspace"
