# A session with a terminal: its own pty in the jail, exit status, job control, resizing left alone.
. tests/system/lib.sh

holds "a terminal of the jail" '^/dev/pts/[0-9]+.?$' "$(client ssh -tt bot tty)"
same "exit status" 5 "$(status_of client ssh -tt bot 'exit 5')"

# The host's terminals are not there, and none of theirs can be opened.
seen=$(client ssh -tt bot 'ls /dev/pts')
for tty in /dev/pts/[0-9]*; do
    [ -e "$tty" ] || continue
    [ "$(stat -c %U "$tty")" != "$BOT" ] || continue
    [ "$(status_of bot "echo x >$tty")" -ne 0 ] || lacks "a host terminal" "^${tty##*/}$" "$seen"
done

# Interactive: lines are judged and run, the last one's status is the session's.
printf 'x=4\ncd /tmp\necho $((x+1)) $PWD\nexit 3\n' >"$W/out/lines"
output=$(client ssh -tt bot <"$W/out/lines" 2>&1)
same "status of the interactive session" 3 $?
holds "state is kept between lines" '5 /tmp' "$output"
