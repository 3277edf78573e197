# Secrets on other processes' command lines and in their environments.
PROMISE=P2
SOURCE="secrets on command lines, T1552"
before() { bash -c 'exec -a "$0" sleep 60' "--password=$SECRET" 3>&- 4>&- & victim=$!; sleep 0.2; }
after() { kill "$victim"; }
attack() { cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' | grep password >"$PROOF"; }
success() { holds_secret; }
twin() { unconfined; }
