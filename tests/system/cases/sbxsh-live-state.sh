# What an interactive session takes from the live bash: its prompt, PATH and functions.
. tests/system/lib.sh

touch "$BOT_HOME/.hushlogin" # no message of the day
trap 'rm -f "$BOT_HOME/.hushlogin"' EXIT
world_policy '[permissions]' 'deny = Bash(uptime:*)'
install -d -o "$BOT" "$BOT_HOME/work/tools"
printf '#!/bin/sh\necho "my tool"\n' >"$BOT_HOME/work/tools/zz-unusual-tool"
chmod 0755 "$BOT_HOME/work/tools/zz-unusual-tool"
printf 'sourced() { "$@"; }\n' >"$BOT_HOME/work/lib.sh"

PYTHONPATH=tests/system python3 - <<'END' || fail "see above"
from terminal import Session
t = Session()

# The prompt is bash's own where one is set, and $? is what it was.
t.send("PS1='\\[\\e[1m\\]<\\W $?>\\[\\e[0m\\]$ '; false\r")
t.seen(r"<work 1>(\x1b\[[0-9;]*m)?\$ ", "PS1 as bash expands it")
t.run("echo status-$?", "^status-1$", "asking bash leaves the status alone")
t.run("echo \"[$PS1]\"", r"^\[\\\[\\e\[1m\\\]<\\W \$\?>", "PS1 is what was set")
t.run("cd /tmp; true", None)
if "<tmp 0>" not in t.shown:
    t.fail("the prompt follows")
t.run("cd; cd work")
t.run("PS1='two\\nlines$ '", r"^two\nlines", "a prompt of two lines")
t.run("PS1='$ '; echo short", "^short$")
t.run("unset PROMPT_COMMAND; false", None)
t.run("echo status-$?", "^status-1$", "the hook is put back behind the scenes")
t.run("set -eu; true", None)
t.run("echo strict", "^strict$", "set -eu does not end the session")
t.run("set +eu; set -x", None)
t.run("set +x", None)
if "__sbx" in t.shown or "declare -f" in t.shown:
    t.fail("set -x shows what the account did not write")

# Completion follows PATH and functions.
t.run("PATH=$PATH:$HOME/work/tools", None)
t.run("zz-unu\t", "^my tool$", "a command of the session's PATH")
t.run("my_own_function() { echo mine-$1; }", None)
t.run("my_own\t5", "^mine-5$", "a function")

# A function means to the judge what it means to bash.
t.run("uptime", "^sbxsh: denied: ")
t.run('run() { "$@"; }', None)
t.run("run echo fine", "^fine$")
t.run("run uptime", "^sbxsh: denied: ", "a function that runs its arguments")
t.run('. ./lib.sh; type -t sourced', "^function$")
t.run("sourced uptime", "^sbxsh: denied: ", "one that came from a file")
t.run("unset -f run; run uptime; echo gone", "^gone$|^sbxsh: denied", "one that is gone")
t.run("uptime", "^sbxsh: denied: ")

# A comment is one to bash as it is to the judge.
t.run("shopt -u interactive_comments", "^sbxsh: ")
t.run("o=interactive_com; shopt -u ${o}ments", None)
t.run("echo a # ; uptime", "^a$")

t.send("exit 3\r")
if t.end() != 3:
    t.fail("exit status")
END
