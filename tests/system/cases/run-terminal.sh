# sbxctl run on a terminal: job control works, and no descriptor of the terminal outside is inside.
. tests/system/lib.sh

run() { with_terminal "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- "$@"; }
seen() { "$@" | sed 's/\^@//g' | tr -d '\r'; } # script(1) types a NUL where its input ends

outside=$(seen with_terminal stat -Lc '%d:%i' /dev/stdin)
inside=$(seen run stat -Lc '%d:%i' /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2)
lacks "another terminal" "$outside" "$inside"
holds "a terminal" '/dev/pts/[0-9]' "$(seen run tty)"
same "/dev/tty leads to it" opened "$(seen run sh -c '(: >/dev/tty) && echo opened')"
same "status" 5 "$(status_of run sh -c 'exit 5')"
# Without a terminal among its streams there is none to be had, though sbxctl itself has one.
seen=$(with_terminal sh -c "'$B/sbxctl' run --root '$ROOT' --account '$BOT' -- sh -c '(: </dev/tty) 2>&1 || echo none' </dev/null 2>/dev/null | cat")
holds "no controlling terminal" none "$seen"
# Twin: without a jail the same program does reach the terminal of its caller.
seen=$(with_terminal sh -c "setpriv --reuid '$BOT_UID' --clear-groups sh -c '(: </dev/tty) && echo reached' </dev/null 2>/dev/null | cat")
holds "the twin reaches it" reached "$seen"
