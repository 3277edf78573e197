# rsync with the account as the server, both ways; its options reach no further than the jail.
. tests/system/lib.sh
command -v rsync >/dev/null || skip "no rsync here"

rsh="ssh -F $W/client/config"
mkdir -p "$W/out/src/deep"
head -c 200000 /dev/urandom >"$W/out/src/deep/blob"
echo a >"$W/out/src/a"
LIMIT=60 timeout 60 rsync -a -e "$rsh" "$W/out/src/" "bot:$BOT_HOME/work/dst/" || fail "rsync to the account"
timeout 60 rsync -a -e "$rsh" "bot:$BOT_HOME/work/dst/" "$W/out/back/" || fail "rsync from the account"
diff -r "$W/out/src" "$W/out/back" || fail "another tree came back"

timeout 60 rsync -a -e "$rsh" "$W/out/src/a" "bot:$BOT_HOME/.bashrc" 2>/dev/null && fail "rsync wrote a start-up file"
timeout 60 rsync -a -e "$rsh" bot:/etc/shadow "$W/out/" 2>/dev/null && fail "rsync read shadow"
timeout 60 rsync -a -e "$rsh" --rsync-path="touch $BOT_HOME/pwned; rsync" "$W/out/src/a" "bot:$BOT_HOME/work/a" 2>/dev/null
[ ! -e "$BOT_HOME/pwned" ] || fail "--rsync-path wrote outside the workspace"
exit 0
