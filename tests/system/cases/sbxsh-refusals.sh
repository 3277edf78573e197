# What sbxsh says and how it exits where it does not run a command, or does not run at all.
. tests/system/lib.sh

same "bash's words for no syntax" "bash: -c: line 1: unexpected EOF while looking for matching \`\"'" \
    "$(bot 'echo "' 2>&1)"
same "status of no syntax" 2 "$(status_of bot 'echo "')"
seen=$(bot 'touch ~/work/first
)' 2>&1)
holds "no syntax in the second line" "syntax error near unexpected token" "$seen"
[ ! -e "$BOT_HOME/work/first" ] || fail "the first line of text that is no syntax was run"

# Options that bash would take: never passed on, never taken.
same "a command like an option" 127 "$(status_of client ssh bot -- -i)"
same "a command like an option" 127 "$(status_of client ssh bot -- -s)"
for words in "-i" "-l" "--rcfile /etc/passwd" "-c" "script" "-c true more" "-lc true"; do
    # shellcheck disable=SC2086 # words
    seen=$("$B/sbxctl" run --account "$BOT" --root "$ROOT" -- "$B/sbxsh" $words 2>&1)
    same "sbxsh $words" 254 $?
    same "one sentence" 1 "$(wc -l <<<"$seen")"
done

# Denied: one sentence, 126, and an event that says where the rule is written. Nothing of the rule's
# text, of errno or of our paths is told to the agent.
world_policy '[permissions]' 'deny = Bash(uptime:*)'
seen=$(bot 'echo one; uptime' 2>&1)
same "status of a denied command" 126 $?
same "one sentence" 1 "$(wc -l <<<"$seen")"
holds "the sentence" '^sbxsh: denied: ' "$seen"
lacks "the sentence" 'policy\.ini|/run/sbx|errno|Bash\(' "$seen"
lacks "what stands before the denied part" '^one$' "$seen"
holds "the event" '"kind":"command".*"verdict":"deny"' "$(events)"
holds "the event's rule" '"rule":"Bash\(uptime:\*\)"' "$(events)"
holds "the event's origin" '"origin":"[^"]*policy\.ini:[0-9]+"' "$(events)"
same "in a nested shell too" 126 "$(status_of bot '$SHELL -c uptime')"

# Outside a jail: 254 with the remedy, whatever the environment says. As the other account, since a
# process of the confined one that runs out here is ended at sight.
seen=$(cd / && setpriv --reuid "$HUMAN_UID" --regid "$HUMAN_UID" --clear-groups \
    env -i SBX_JAIL="$HUMAN_UID" "$B/sbxsh" -c id 2>&1)
same "outside a jail" 254 $?
holds "the remedy" 'pam_sbx.*sbxctl doctor' "$seen"
same "one sentence" 1 "$(wc -l <<<"$seen")"
"$B/sbxsh" -c id >/dev/null 2>&1
same "root, outside a jail" 254 $?

# A session folder that the account has made itself (in a user namespace of its own, where it is
# root) is none: its owner is not root, or the jail is not there.
if setpriv --reuid "$HUMAN_UID" --regid "$HUMAN_UID" --clear-groups unshare -Ur true 2>/dev/null; then
    seen=$(cd / && setpriv --reuid "$HUMAN_UID" --regid "$HUMAN_UID" --clear-groups unshare -Urm bash -c '
        mount -t tmpfs none /run && mkdir -p /run/sbx/session && head -c 136 /dev/zero >/run/sbx/session/attest &&
        mount -o remount,bind,ro /run && exec "$0" -c id' "$B/sbxsh" 2>&1)
    same "a jail of its own making" 254 $?
fi
exit 0
