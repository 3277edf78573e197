# Pasting 10,000 lines, lines of any length, and what happens when the line editor is killed.
# limit: 300
. tests/system/lib.sh

touch "$BOT_HOME/.hushlogin" # no message of the day
trap 'rm -f "$BOT_HOME/.hushlogin"' EXIT
world_policy '[permissions]' 'deny = Bash(uptime:*)' '[limits]' 'tasks_max = 100'

PYTHONPATH=tests/system python3 - <<'END' || fail "see above"
import os
import re
import time
from terminal import Session

count = 10000 if os.environ.get("SLOW", "1") == "1" else 2000
# Each line adds to a sum; every thousandth is one that is denied, and a loop goes over several lines.
lines = []
for i in range(1, count + 1):
    if i % 1000 == 0:
        lines.append("uptime")
    elif i % 1000 == 1:
        lines.append("for j in 1")
    elif i % 1000 == 2:
        lines.append("do\t(( n += j ))")
    elif i % 1000 == 3:
        lines.append("done")
    else:
        lines.append("(( n += 1 ))")
total = sum(1 for line in lines if "n +=" in line)

for name, text in (
    ("bracketed", "\x1b[200~" + "\r".join(lines) + "\r\x1b[201~"),
    ("plain", "\r".join(lines).replace("\t", " ") + "\r"),
):
    t = Session(patience=140)
    t.run("n=0")
    t.send(text)
    t.send("echo sum-$n\r")
    t.seen(f"^sum-{total}$", f"{name} paste of {count} lines")
    # The terminal echoes what is typed ahead, also into the middle of what is shown.
    denied = t.shown.count("sbxsh: denied: ")
    if denied != count // 1000:
        t.fail(f"{name} paste: {denied} of {count // 1000} denied lines were refused")
    t.prompt()
    t.send("exit\r")
    t.end()

t = Session()
# The last line of a paste, without a newline, waits for the key.
t.send("\x1b[200~x=1\recho last-$x\x1b[201~")
time.sleep(0.5)
if re.search("^last-1", t.shown, re.M):
    t.fail("the end of a paste ran by itself")
t.run("", "^last-1$", "and then runs")
# A whole line is met, or none of it.
t.run("\x1b[200~echo " + "x" * 20000 + " | wc -c\x1b[201~", "^20001$", "a pasted line of 20,000 bytes")
t.run("echo " + "x" * 6000 + " | wc -c", "^6001$", "a typed line of 6,000 bytes")
t.run("sleep 2\recho cut-" + "x" * 5000 + " | wc -c",
      r"^sbxsh: denied: .*too long", "a line that the terminal has cut does not run")
t.run("echo on", "^on$")

# The editor is killed: modes are put back, and the session goes on.
t.send("echo half-a-li")
time.sleep(0.3)
t.send("\x15")
t.run("kill -9 $(pgrep -x sbx-line)", "line editor has ended", "the editor is killed")
t.run("stty -a | grep -oE -- '-?(icanon|echo|isig)\\b' | tr '\\n' ' '", "isig icanon echo")
t.run("echo plain-$((2+2))", "^plain-4$", "lines are read plainly")
t.run("uptime", "^sbxsh: denied: ", "and judged")
t.send("exit 8\r")
if t.end() != 8:
    t.fail("exit status")

# The same while it holds the keys: by another process of the account. Stopped is as good as dead.
for signal in ("KILL", "STOP", "SEGV"):
    t = Session()
    t.run(f"(sleep 1; pkill -{signal} -x sbx-line) & echo wait", "^wait$")
    t.seen("line editor has ended", f"the editor gets SIG{signal}")
    t.prompt()
    t.run("echo plain-$((2+2)); stty -a | grep -oE -- ' (icanon)\\b'", "^plain-4$\n icanon")
    t.send("exit 8\r")
    if t.end() != 8:
        t.fail("exit status")
END
