# Job control, signals, window size and refusals at a terminal with the line editor.
. tests/system/lib.sh

touch "$BOT_HOME/.hushlogin" # no message of the day
trap 'rm -f "$BOT_HOME/.hushlogin"' EXIT
world_policy '[permissions]' 'deny = Bash(uptime:*)'

PYTHONPATH=tests/system python3 - <<'END' || fail "see above"
import time
from terminal import Session
t = Session(rows=30, columns=90)


def running(words):
    t.send(words + "\r")
    t.seen(r"\n")
    time.sleep(0.7)


# ^C ends what runs, and no more than that.
running("sleep 60")
t.send("\x03")
t.prompt()
t.run("echo status-$?", "^status-130$", "^C ends the command")
running("while true; do sleep 0.1; done")
t.send("\x03")
t.prompt()
t.run("echo status-$?", "^status-130$", "^C ends a loop")
running("sleep 60 | cat")
t.send("\x1c")
t.prompt()
t.run("echo status-$?", "^status-131$", "^\\ quits")

# ^Z, jobs, bg, fg.
running("sleep 61")
t.send("\x1a")
t.seen(r"Stopped +sleep 61", "^Z stops")
t.prompt()
t.run("echo status-$?", "^status-148$")
t.run("jobs", r"^\[1\]\+ +Stopped +sleep 61", "jobs")
t.run("bg", r"sleep 61 &", "bg")
t.run("jobs", r"^\[1\]\+ +Running +sleep 61 &", "it runs on")
running("fg")
t.send("\x03")
t.prompt()
t.run("echo status-$?", "^status-130$", "fg, and ^C reaches it")
t.run("jobs; echo none", "^none$")
t.run("sleep 0.3 & sleep 0.8", r"\[1\]\+? +Done +sleep 0.3|\n", "a job in the background")
t.run("read x; echo read-$x\rtyped", "^read-typed$", "a program reads the keys")
t.run("stty -echo -icanon; cat /dev/null", None)
t.run("stty -a | grep -o -- ' icanon'", "^ icanon$", "modes that a program left are put right")
t.run("stty sane")
t.run("cat >/dev/null &", None)
t.run("echo on", "^on$", "a job that wants the keys does not get them")
t.run("jobs", r"Stopped( \(tty input\))? +cat", "but stops")
t.run("kill %1; wait 2>/dev/null; echo killed", "^killed$")

# The size of the window, at the prompt and while something runs.
t.run("stty size", "^30 90$")
t.resize(40, 100)
time.sleep(0.5)
t.run("stty size", "^40 100$", "resized at the prompt")
running("sleep 2; stty size")
t.resize(25, 70)
t.seen("^25 70$", "resized while a command runs", 10)
t.prompt()

# A denied command: one line, and status 126.
refusal = t.run("uptime", r"^sbxsh: denied: .*\n(?=.*\$ )", "a refusal is one line").group()
if refusal.count("\n") != 1:
    t.fail(f"more than one line: {refusal!r}")
t.run("echo status-$?", "^status-126$", "status of a refusal")
if "\x1b[31m" not in refusal:
    t.fail("no colour on a terminal that has some")
t.run("echo )", "syntax error")
t.run("echo status-$?", "^status-2$", "status of a syntax error")

# Functions, traps, exec.
t.run("trap 'echo trapped' EXIT; f() { return 7; }; f", None)
t.run("echo status-$?", "^status-7$")
t.send("sleep 62\r")
time.sleep(0.7)
t.send("\x1a")
t.prompt()
t.send("exit 5\r")
t.seen("There are stopped jobs", "bash tells about stopped jobs")
t.prompt()
t.send("exit 5\r")
t.seen("^trapped$", "the trap at the end")
if t.end() != 5:
    t.fail("exit status")

t = Session()
t.send("exec sh -c 'stty -a | grep -o \" icanon\"; exit 6'\r")
t.seen("^ icanon", "exec has a terminal in line mode")
if t.end() != 6:
    t.fail("status of what took the shell's place")

# Gone with the terminal.
t = Session()
t.send("sleep 4713\r")
time.sleep(0.7)
t.send("\r~.")
t.end()
END

# Colours are declined by a dumb terminal, and by NO_COLOR.
plain() { # TERM
    PYTHONPATH=tests/system python3 - "$1" <<'END' || fail "see above"
import sys
from terminal import Session
t = Session(term=sys.argv[1])
refusal = t.run("uptime", r"^sbxsh: denied: .*\n").group()
if "\x1b" in refusal:
    t.fail(f"colour where none is wanted: {refusal!r}")
t.send("exit 3\r")
if t.end() != 3:
    t.fail("exit status")
END
}
plain dumb
world_policy '[permissions]' 'deny = Bash(uptime:*)' '[environment]' 'set = NO_COLOR=1'
plain xterm

gone() { ! pgrep -U "$BOT_UID" -f 'sleep 4713|sbx-line' >/dev/null; }
wait_until 10 gone || fail "something still runs after the terminal has hung up"
