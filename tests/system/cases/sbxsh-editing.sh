# The line editor over ssh: keys, history, completion, commands of several lines.
. tests/system/lib.sh

touch "$BOT_HOME/.hushlogin" # no message of the day
trap 'rm -f "$BOT_HOME/.hushlogin"' EXIT
work=$BOT_HOME/work
install -d -o "$BOT" "$work/tree/inner" "$work/two words"
echo found-it >"$work/tree/inner/file-of-a-name.txt"
echo spaced >"$work/two words/note"
printf '#!/bin/sh\necho "tool $1"\n' >"$work/zz-long-tool-name"
printf x >"$work/evil"$'\e[2J'
chmod 0755 "$work"/zz-*

PYTHONPATH=tests/system python3 - <<'END' || fail "see above"
from terminal import Session
t = Session()

# Left, right, ^A, ^E, ^U, ^W, backspace, Delete.
t.run("ecko one\x01\x1b[C\x1b[C\x1b[3~h\x05 end", "^one end$", "left end, right, Delete, right end")
t.run("oops oops\x15echo two", "^two$", "^U erases to the beginning")
t.run("echo keep drop-it\x17three", "^keep three$", "^W erases a word")
t.run("echo ac\x1b[Db", "^abc$", "left")
t.run("echo fouu\x7fr", "^four$", "backspace")
t.run("echo gr\u00fc\u00dfx\x7fe", "^gr\u00fc\u00dfe$", "characters of several bytes")

# History: up, down, ^P, and searching.
t.run("echo first-$((1+1))", "^first-2$")
t.run("echo second-$((1+2))", "^second-3$")
t.run("\x1b[A\x1b[A", "^first-2$", "up and up")
t.run("\x1b[A\x1b[A\x1b[B again", "^first-2 again$", "up, down and more")
t.run(" echo not-kept-$((3+3))", "^not-kept-6$")
t.run("\x1b[A", "^first-2 again$", "a line that begins with a space is not remembered")

# Completion.
t.run("cat tree/in\tfile\t", "^found-it$", "a path by two tabs")
t.run("cat two\tno\t", "^spaced$", "a name with a space is quoted")
t.run("cat /etc/pass\t| head -n 1 | cut -d: -f1", "^root$", "a path from the root")
t.run('PATH=$PATH:$HOME/work; echo set', "^set$")
t.run("./zz-l\targ", "^tool arg$", "a program by its path")
t.send("ls t\t\t")
t.seen(r"tree/.*", "names are listed or completed")
t.send("\x15")
t.run("ls -d ev\t", r"^ls: cannot access 'ev'", "hostile names are not put into a line")
t.run("printf 'a%sb\\n' '\x16\t'", "^a\tb$", "a tab behind ^V")

# Several lines, with the second prompt.
for lines, pattern in (
    (["if true", "then echo in-if-$((4+4))", "fi"], "^in-if-8$"),
    (["for i in 1 2 3", "do", "\techo i-$i", "done"], "^i-3$"),
    (["cat <<E", "here $((5+5))", "E"], "^here 10$"),
    (["echo 'open", "close'"], "^close$"),
    (["echo a \\", "b"], "^a b$"),
    (["f() {", "echo f-$1", "}; f x"], "^f-x$"),
):
    for line in lines[:-1]:
        t.send(line + "\r")
        t.seen(r"^> ", f"the second prompt behind {line!r}")
    t.run(lines[-1], pattern)

# ^C at both prompts, ^D.
t.send("echo dropped\x03")
t.prompt()
t.run("echo status-$?", "^status-130$", "^C at the prompt")
t.send("while true\r")
t.seen(r"^> ")
t.send("\x03")
t.prompt()
t.run("echo status-$?", "^status-130$", "^C at the second prompt")
t.run("(exit 3)")
t.send("\x04")
status = t.end()
if status != 3:
    t.fail(f"^D ends with the last status: {status}")
if "dropped\n" in t.shown.replace("echo dropped", ""):
    t.fail("a line dropped by ^C ran")

# Another session remembers.
t = Session()
t.run("\x10\x10", "^status-", "history of an earlier session")
t.send("exit 9\r")
if t.end() != 9:
    t.fail("exit status")
END

history=$BOT_HOME/.cache/sbx/history
same "the history is the account's alone" "600 $BOT" "$(stat -c '%a %U' "$history")"
same "what was typed is in it" 0 "$(status_of grep -qFx 'echo first-$((1+1))' "$history")"
same "lines that begin with a space are not" 0 "$(grep -c not-kept "$history")"

# Without an editor, or on a terminal that cannot do more, lines are read plainly.
PYTHONPATH=tests/system python3 - <<'END' || fail "see above"
from terminal import Session
t = Session(term="dumb")
t.run("echo plain-$((1+1))", "^plain-2$")
t.send("exit 4\r")
if t.end() != 4 or "\x1b" in t.shown:
    t.fail(f"a dumb terminal: {t.shown!r}")
END
