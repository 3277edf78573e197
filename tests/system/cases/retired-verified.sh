# The chain of a jail that gave its id away and still writes is whole.
. tests/system/lib.sh

mkdir -p "$BOT_HOME/work/private"
chown "$BOT:" "$BOT_HOME/work/private"
mkfifo "$W/out/commands"
bot <"$W/out/commands" >"$W/out/said" 2>&1 &
session=$!
exec 7>"$W/out/commands"
echo 'echo ready' >&7
wait_until 20 grep -q ready "$W/out/said" || fail "no session: $(cat "$W/out/said")"
old=$(jail_state warden_pid)
world_policy '[filesystem]' 'deny_write = ~/work/private'
sed -i 's/^linger = .*/linger = 0s/' "$ROOT/etc/sbx/policy.ini"
bot true || fail "cannot log in again"
only_the_retired() { [ "$(jail_names)" = "$BOT_UID~$old" ]; }
wait_until 20 only_the_retired || fail "jails: $(jail_names)"
echo 'rm -rf /' >&7
is_recorded() { events | tail -n 1 | grep -q '"class":"fs-destroy"'; }
wait_until 20 is_recorded || fail "the denial is not the last record: $(events | tail -n 1)"
same "while the retired jail lives" 0 "$(status_of "$B/sbxctl" events verify --root "$ROOT")"
exec 7>&-
wait "$session"
jails_kill
same "when it has ended" 0 "$(status_of "$B/sbxctl" events verify --root "$ROOT")"
