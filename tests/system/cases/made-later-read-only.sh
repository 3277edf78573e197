# What policy keeps from being written and the host makes, or makes anew, while the jail lives: a file
# that was not there, a directory that was replaced, a match of a pattern. Below one a mask stays.
. tests/system/lib.sh

world_policy 'deny_write = ~/work/ci.yml' 'deny_write = ~/work/hooks' 'deny_write = ~/work/*.lock' \
    'deny_read = ~/work/hooks/key'
put() { # PATH: with rights for the account
    mkdir -p "${1%/*}"
    echo content >"$1"
    chown -R "$BOT:" "$BOT_HOME/work"
}
put "$BOT_HOME/work/hooks/old"
put "$BOT_HOME/work/a.lock"
cat >"$BOT_HOME/work/try.sh" <<'END'
echo ready
until [ -e ~/work/go ]; do sleep 0.1; done
for file in ci.yml hooks/new a.lock; do
    echo evil >~/work/$file || echo "refused $file"
done
cat ~/work/hooks/key || echo "masked"
END
bot 'bash try.sh' >"$W/out/seen" 2>&1 &
session=$!
wait_until 20 grep -q ready "$W/out/seen" || fail "no session"
put "$BOT_HOME/work/ci.yml"
rm -r "$BOT_HOME/work/hooks"
put "$BOT_HOME/work/hooks/new"
put "$BOT_HOME/work/hooks/key"
put "$BOT_HOME/work/a.new"
mv "$BOT_HOME/work/a.new" "$BOT_HOME/work/a.lock"
sleep 0.5
touch "$BOT_HOME/work/go"
wait "$session"
same "what was refused" 'refused ci.yml refused hooks/new refused a.lock masked ' \
    "$(grep -E '^(refused|masked)' "$W/out/seen" | tr '\n' ' ')"
for file in ci.yml hooks/new a.lock; do
    same "$file" content "$(cat "$BOT_HOME/work/$file")"
done
