# Aliases of an interactive session are to the judge what they are to bash; the bytes that run are those
# that were typed.
. tests/system/lib.sh

touch "$BOT_HOME/.hushlogin" # no message of the day
trap 'rm -f "$BOT_HOME/.hushlogin"' EXIT
world_policy '[permissions]' 'deny = Bash(uptime:*)'
printf 'alias sourced=uptime\n' >"$BOT_HOME/work/aliases.sh"

PYTHONPATH=tests/system python3 - <<'END' || fail "see above"
from terminal import Session
t = Session()
denied = "^sbxsh: denied: "

# They work, and are completed.
t.run("PS1='$ '", None)
t.run("alias hi='echo hello'", None)
t.run("hi you", "^hello you$", "an alias")
t.run("alias zz_long_alias='echo completed'", None)
t.run("zz_lon\tnow", "^completed now$", "the name is completed")
t.run("type -t hi", "^alias$")
t.run("alias list='printf %s- '; alias one='1'; list x", "list: command not found", "not on its own line")
t.run("list one one; echo", "^1-one-$", "a blank at its end")
t.run("alias pipe='echo a b | tr a-z A-Z; echo'; true", None)
t.run("pipe c", "^A B\n+c$", "several commands")
t.run("for i in 1 2; do hi $i; done; echo $(hi sub)", "^hello 1\n+hello 2\n+hello sub$")
t.run("greet() { hi \"$1\"; }; true", None)
t.run("alias hi='echo changed'; true", None)
t.run("greet there; hi", "^hello there\n+changed$", "a function keeps what was read")
t.run("\\hi; echo status-$?", "command not found(.|\n)*^status-127$", "a backslash")
t.run("'hi'; echo status-$?", "command not found(.|\n)*^status-127$", "quotes")
t.run("unalias hi; true", None)
t.run("hi; echo status-$?", "command not found(.|\n)*^status-127$", "one that is gone")
t.run("alias recurse='recurse me'; true", None)
t.run("recurse; echo status-$?", "recurse: command not found(.|\n)*^status-127$", "recursion")

# Several lines at once.
t.send("alias p1='echo first'\ralias p2='p1 and'\rp2 second\r")
t.seen(r"\nfirst and second\r?\n", "a paste that defines and uses")
t.run("if true; then\ralias p3='echo late'\rp3\rfi; echo status-$?",
      "p3: command not found(.|\n)*^status-127$", "one command is read before it runs")

# What is denied is denied behind an alias, by the reason of the command behind it.
t.run("uptime", denied)
t.run("alias up=uptime; true", "^sbxsh: denied: ", "the definition says what it is")
t.run("BASH_ALIASES[up]=uptime; true", None)
t.run("up; echo x", denied, "an alias to what is denied")
t.run("FOO=1 up -p", denied)
t.run("if true; then up; fi", denied)
t.run("echo $(up)", denied)
t.run("eval up", denied)
t.run("f() { up; }", denied, "in a function")
t.run("trap up EXIT", denied)
t.run("\\up; echo status-$?", "command not found(.|\n)*^status-127$", "the word itself is not")
t.run("alias wrap='env '; true", None)
t.run("wrap up", denied, "a wrapper with a blank behind it")
t.run("wrap wrap up", denied)
t.run("alias front='ec'; alias as=':'; true", None)
t.run("BASH_ALIASES[ls]='ls; uptime'; true", None)
t.run("ls /", denied, "more than it seems")
t.run("command ls -d /", "^/$")
t.run("BASH_ALIASES[cd]='uptime; cd'; true", None)
t.run("cd /tmp", denied, "a builtin's name")
t.run("unalias ls cd; ls -d /", denied, "on the line that takes it away")
t.run("unalias ls cd", None)
t.run("ls -d /", "^/$")
t.run(". ./aliases.sh", None)
t.run("sourced", denied, "one that came from a file")

# What cannot be put in its place is not let through.
t.run("BASH_ALIASES[open]=\"echo '\"; true", None)
t.run("open '; uptime #'", "^sbxsh: ", "one that opens a quote")
t.run("BASH_ALIASES[here]='cat <<E'; true", None)
t.run("here", None)
t.run("BASH_ALIASES[time]=echo; true", None)
t.run("time x", "^sbxsh: ", "a reserved word")
t.run("unalias time open; true", None)
t.run("alias \"$UNKNOWN\"; echo $(echo no)", "^sbxsh: ", "a change that is not known")
t.run("echo fine; true", "^fine$")

# The table is known or there is none.
t.run("set -o posix", "^sbxsh: aliases are off", "by the rules of POSIX")
t.run("echo fine; up", "^fine\n(.|\n)*up: command not found")
t.run("set +o posix; shopt -s expand_aliases", None)
t.run("up", denied, "and back")
t.run("unset PROMPT_COMMAND; alias hi='echo again'", None)
t.run("hi", "^again$", "without the hook")
t.run("alias eval=false builtin=false exit=false; true", None)
t.run("hi still", "^again still$", "our own words are no aliases")
t.run("unalias -a; true", None)
t.send("exit 3\r")
if t.end() != 3:
    t.fail("exit status")
END

# A script on standard input is read piece by piece, and nobody asks its bash.
printf 'shopt -s expand_aliases\nalias x=uptime\nx\necho end\n' |
    client ssh -T bot >"$W/out/script" 2>"$W/out/script.err"
grep -q '^end$' "$W/out/script" || fail "the script goes on"
grep -q 'load average' "$W/out/script" && fail "an alias in a script"
[ "$(grep -c '^sbxsh: ' "$W/out/script.err")" -ge 1 ] || fail "it is told"
