# mode = disabled: no jail, one warning with the place that says so, one event, and every command judged.
# limit: 240
. tests/system/lib.sh
. tests/system/unjailed.sh

world_policy '[sandbox]' 'mode = disabled'
at=$ROOT/etc/sbx/policy.ini:$(grep -n 'mode = disabled' "$ROOT/etc/sbx/policy.ini" | cut -d: -f1)
before=$(events host | grep -c '"action": *"unjailed"')
same "without a jail" "$(bare_view)" "$(bare 'readlink /proc/self/ns/mnt' 2>"$W/out/said")"
holds "the warning" "^sbxsh: this session has NO JAIL: .*sandbox.mode = disabled \($at\)" "$(cat "$W/out/said")"
same "one warning" 1 "$(wc -l <"$W/out/said")"
same "one event" $((before + 1)) "$(events host | grep -c '"action": *"unjailed"')"
event=$(events host | grep '"action": *"unjailed"' | tail -n 1)
holds "what it says" "\"verdict\": *\"allow\".*\"rule\": *\"sandbox.mode = disabled\".*\"origin\": *\"$at\"" "$event"
holds "of whom" "\"account\": *\"$BOT\".*\"service\": *\"$SERVICE\"" "$event"
wait_until 10 no_records || fail "a record is left after the session: $(records)"

same "judged, and refused" 126 "$(status_of bare 'rm -rf ~')"
holds "with the sentence" '^sbxsh: denied: ' "$(cat "$W/out/last")"
[ -d "$BOT_HOME/work" ] || fail "and it ran"
same "a script too" 126 "$(echo 'rm -rf ~' | bare >/dev/null 2>&1; echo $?)"
same "exit status" 7 "$(status_of bare 'exit 7')"
printf '#!/bin/sh\ntouch ~/outside\n' >"$BOT_HOME/work/program"
chmod 0755 "$BOT_HOME/work/program"
same "a path that policy closes, by name" 126 "$(status_of bare 'touch ~/outside')"
bare ./program 2>/dev/null || fail "a program cannot write what the account may"
[ -e "$BOT_HOME/outside" ] || fail "nothing was written"
rm -f "$BOT_HOME/outside"
holds "a shell of a program's" '^nested none$' "$(bare '$SHELL -c "echo nested \$SBX_JAIL"' 2>/dev/null)"
same "is warned of once" 1 "$(bare '$SHELL -c "exit 3"' 2>&1 | wc -l)"
holds "the brief" 'run without a jail.*switched off' "$(bare 'cat "$SBX_BRIEF"' 2>/dev/null)"
OPTIONS=(-tt)
holds "on a terminal" 'NO JAIL.*sandbox.mode = disabled' "$(bare tty 2>&1)"
OPTIONS=()
same "others are untouched" hello "$(human 'echo hello')"

# Ask rules bite: every command is outside the jail.
world_policy '[sandbox]' 'mode = disabled' '[permissions]' 'ask = Bash(id:*)'
same "an ask rule" 126 "$(status_of bare 'id -u')"
holds "asks" 'needs approval' "$(cat "$W/out/last")"

# What is left running keeps its login's record, for the shells that it starts; the others go.
world_policy '[sandbox]' 'mode = disabled'
bare 'setsid sleep 200 >/dev/null 2>&1 </dev/null &' 2>/dev/null
bare true 2>/dev/null
sleep 1
same "one record is left" 1 "$(records | grep -c '/s[0-9]*$')"

# A jail that root asks for by name stands beside it: nothing outside is ended, and no record goes.
same "run makes a jail" 'jail' "$("$B/sbxctl" run --root "$ROOT" --account "$BOT" -- /bin/sh -c 'sleep 3; echo jail' 2>&1)"
same "the record is left" 1 "$(records | grep -c '/s[0-9]*$')"
pgrep -U "$BOT_UID" -x sleep >/dev/null || fail "what ran outside was ended by the warden of a jail beside it"

# The jail is back at once; who is outside is ended, as for every account that comes to be confined.
world_policy
lacks "in a jail again" "NO JAIL" "$(bare 'readlink /proc/self/ns/mnt' 2>&1)"
[ "$(bare 'readlink /proc/self/ns/mnt')" != "$(bare_view)" ] || fail "still without a jail"
no_records || fail "records are left: $(records)"
wait_until 20 bash -c "! pgrep -U $BOT_UID -x sleep >/dev/null" || fail "what ran outside lives on"

# And a jail that lives gives way where policy lets it.
world_policy '[sandbox]' 'mode = disabled'
same "without a jail beside a live one" "$(bare_view)" "$(bare 'readlink /proc/self/ns/mnt' 2>/dev/null)"
holds "which retires" 'lets the account in without a jail' "$(events)"
