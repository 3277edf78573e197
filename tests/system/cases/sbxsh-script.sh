# A script on standard input: judged command by command as bash reads it, and what bash would do, by
# the other account's bash as the oracle. The rest of standard input belongs to its commands.
. tests/system/lib.sh

touch "$BOT_HOME/.hushlogin" # no message of the day
trap 'rm -f "$BOT_HOME/.hushlogin"' EXIT

# `ssh host` with a script and no command starts the login shell without a terminal.
compare() { # WHAT: script on standard input
    cat >"$W/out/script"
    as_human bash <"$W/out/script" >"$W/out/expected" 2>"$W/out/expected.err"
    echo "status $?" >>"$W/out/expected"
    client ssh -T bot <"$W/out/script" >"$W/out/seen" 2>"$W/out/seen.err"
    echo "status $?" >>"$W/out/seen"
    diff "$W/out/expected" "$W/out/seen" || fail "$1"
    same "$1: standard error" "$(plain "$W/out/expected.err")" "$(plain "$W/out/seen.err")"
}
# bash -n calls the text of a syntax error "-c"; eval has a name of its own.
plain() { sed -E 's/^bash: (eval: |-c: )?(line [0-9]+: )?/bash: /' "$1"; }

compare "state, statuses and input" <<'END'
cd /tmp
x=5; false
echo "status $? x $x in $PWD"
# a comment

read line
this line is data
echo "read: $line"
f() {
  local y=$1
  echo "f $y"
}
f 'quo"te'"'"
for i in 1 2; do
  echo $i
done
echo "two
lines" a \
  b
true &&
echo and
a=(1
2)
echo ${a[1]} $(
 echo sub
)
nosuchcommand
echo $?
trap 'echo bye $?' EXIT
exit 7
END
compare "here-documents" <<'END'
x=1
cat <<EOF
$x "quote' )
EOF
cat <<-'E2'
	$x tabs
	E2
cat <<A; cat <<B
a
A
b
B
END
compare "cat takes the rest" <<'END'
echo first
cat
rest "unbalanced
of it
END
compare "a loop reads the rest" <<'END'
while read -r l; do echo "got $l"; done
one
two
END
compare "set -e" <<'END'
set -e
echo one
false
echo never
END
compare "a syntax error ends it" <<'END'
echo before
if true; then
echo )
fi
echo never
END
compare "an open quote at the end" <<'END'
echo "open
END
compare "exec" <<'END'
exec cat
handed over
END
compare "killed" <<'END'
bash -c 'kill -TERM $$'
echo $?
END
compare "functions named like commands" <<'END'
test() { echo mine "$@"; }
test 1
unset -f test
break
return
echo on
END
compare "no newline at the end" < <(printf 'echo no newline')
compare "a NUL byte" < <(printf 'echo a\0b\n')
compare "nothing" < <(printf '')

# Not as bash does: a control character shows another text than the one that runs.
same "CRLF" 126 "$(printf 'echo crlf\r\necho two\r\n' | status_of client ssh -T bot)"
holds "CRLF, the sentence" '^sbxsh: denied: ' "$(cat "$W/out/last")"
lacks "CRLF" '^(crlf|two)' "$(cat "$W/out/last")"

# A client that waits for the answer to one line before it sends the next.
coproc shell { client ssh -T bot 2>&1; }
answer=
for n in 1 2 3; do
    echo "echo answer $n" >&"${shell[1]}"
    IFS= read -r -t 20 answer <&"${shell[0]}" || fail "no answer to line $n"
    same "line by line" "answer $n" "$answer"
done
echo "read -r x; echo \"x is \$x\"" >&"${shell[1]}"
echo "typed late" >&"${shell[1]}"
IFS= read -r -t 20 answer <&"${shell[0]}" || fail "no answer to read"
same "input of a command" "x is typed late" "$answer"
eval "exec ${shell[1]}>&-"
# shellcheck disable=SC2154 # coproc sets it
wait "$shell_PID" 2>/dev/null

# One line is refused, the next one runs and sees 126.
world_policy '[permissions]' 'deny = Bash(uptime:*)'
seen=$(printf 'echo one\nuptime\necho "status $?"\n' | client ssh -T bot 2>"$W/out/err")
same "a denied line in the middle" $'one\nstatus 126' "$seen"
holds "the sentence" '^sbxsh: denied: ' "$(cat "$W/out/err")"
same "a denied line at the end" 126 "$(printf 'uptime\n' | status_of client ssh -T bot)"
seen=$(printf 'set -e\nuptime\necho never\n' | client ssh -T bot 2>/dev/null)
same "set -e ends at a denied line" "" "$seen"
seen=$(printf 'run() {\n"$@"\n}\nrun echo fine\nrun uptime\necho "status $?"\n' | client ssh -T bot 2>/dev/null)
same "a function is judged where it is called" $'fine\nstatus 126' "$seen"
holds "its event" '"command":"uptime"' "$(events)"

# A large command passes, and so do many small ones.
{ printf 'x="'; head -c 700000 /dev/zero | tr '\0' a; printf '"\necho ${#x}\n'; } >"$W/out/large"
same "a large command" 700000 "$(client ssh -T bot <"$W/out/large")"
for ((i = 1; i <= 3000; i++)); do echo "((n += $i))"; done >"$W/out/many"
echo 'echo $n' >>"$W/out/many"
same "many commands" 4501500 "$(client ssh -T bot <"$W/out/many")"
