# Interactive use: a prompt, line by line, ^C, ^Z and ^D, and no outside terminal in reach.
. tests/system/lib.sh

touch "$BOT_HOME/.hushlogin" # no message of the day
trap 'rm -f "$BOT_HOME/.hushlogin"' EXIT

# Types lines into a session with a terminal, giving each the time to be met, and shows it all.
session() { # [DELAY] LINE… : printf formats
    local delay=$((5 * SLOW))e-1
    {
        sleep $((15 * SLOW))e-1
        for line; do
            # shellcheck disable=SC2059 # formats, for control characters
            printf "$line"
            sleep "$delay"
        done
        sleep "$SLOW"
    } | client ssh -tt bot 2>&1 | tr -d '\r'
    return "${PIPESTATUS[1]}"
}

seen=$(session 'x=5; cd /tmp\n' 'echo "x $x in $PWD"\n' '(exit 3)\n' 'echo "status $?"\n' \
    'cat <<E\n' 'here $x\n' 'E\n' 'for i in 1 2; do\n' 'echo "i $i"\n' 'done\n' 'exit 9\n')
same "status of the session" 9 $?
holds "a prompt" "^$BOT@[^:]*:~/work\\$ " "$seen"
holds "the prompt follows" "^$BOT@[^:]*:/tmp\\$ " "$seen"
holds "variables and cd" '^x 5 in /tmp$' "$seen"
holds "exit status" '^status 3$' "$seen"
holds "here-document" '^here 5$' "$seen"
holds "a loop over lines" '^i 2$' "$seen"

seen=$(session 'sleep 60\n' '\003' 'echo "after $?"\n' 'echo "open\n' '\003' 'echo "again $?"\n' \
    'sleep 60\n' '\032' 'jobs\n' 'kill %%1\n' 'read y\n' 'typed\n' 'echo "y $y"\n' 'echo ex\177ased\n' \
    'uptimex; echo "missing $?"\n' 'echo )\n' 'echo "syntax $?"\n' '\004')
same "status after ^D" 0 $?
holds "^C ends the command" '^after 130$' "$seen"
holds "^C drops the line" '^again 130$' "$seen"
holds "^Z stops" 'Stopped +sleep 60' "$seen"
holds "read reads the terminal" '^y typed$' "$seen"
holds "backspace" '^eased$' "$seen"
holds "syntax error" '^syntax 2$' "$seen"

# The terminal that programs have is the jail's; the one that sshd made is not there at all.
seen=$(client ssh -tt bot 'tty; echo "sid $(ps -o sid= -p $$)"; ls -l /proc/self/fd; stty size' | tr -d '\r')
holds "a terminal of the jail" '^/dev/pts/[0-9]+$' "$seen"
same "all three are the same" 1 "$(grep -oE '[012] -> .*' <<<"$seen" | sed 's/.*-> //' | sort -u | wc -l)"
same "nothing else is open but ls's own" 1 "$(grep -cE '^l.* ([3-9]|[0-9]{2,}) -> ' <<<"$seen")"
holds "SSH_TTY is the jail's" "^$(grep -oE '^/dev/pts/[0-9]+$' <<<"$seen" | head -n 1)$" \
    "$(client ssh -tt bot 'echo $SSH_TTY' | tr -d '\r')"
same "a signal" "$(status_of client ssh -tt human 'kill -TERM $$')" "$(status_of client ssh -tt bot 'kill -TERM $$')"

# Denied on a terminal.
world_policy '[permissions]' 'deny = Bash(uptime:*)'
seen=$(session 'uptime\n' 'echo "status $?"\n' 'exit\n')
holds "the sentence" '^sbxsh: denied: ' "$seen"
holds "the status" '^status 126$' "$seen"
same "ssh -t host denied" 126 "$(status_of client ssh -tt bot uptime)"

gone() { ! pgrep -U "$BOT_UID" -f "sleep 4711" >/dev/null; }
# A session whose client is gone leaves nothing that runs on its terminal.
(session 'sleep 4711\n' >/dev/null 2>&1) &
client_job=$!
wait_until 20 pgrep -U "$BOT_UID" -f 'sleep 4711' >/dev/null || fail "the command never ran"
wait "$client_job"
wait_until 10 gone || fail "it still runs after the terminal has hung up"

