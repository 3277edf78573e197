# What policy takes away stays away, also where the account had closed the directories on the way while
# the jail was built: it can open its own again from inside. Each run is a jail of its own, and what it
# runs is not judged.
. tests/system/lib.sh

run() { # TEXT
    "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- sh -c "$1" 2>&1
}
world_policy 'deny_read = ~/work/d/secret' 'deny_read = ~/work/g/**/*.pem' \
    'deny_write = ~/work/p/conf'
mkdir -p "$BOT_HOME"/work/{d/secret,g/x,p}
echo TOP >"$BOT_HOME/work/d/secret/key"
echo PEM >"$BOT_HOME/work/g/x/k.pem"
echo first >"$BOT_HOME/work/p/conf"
chown -R "$BOT": "$BOT_HOME/work"
try='cd ~/work; chmod 755 d g g/x p && echo opened; cat d/secret/key g/x/k.pem; echo evil >p/conf
mv d e; mv p q; mv g/x h'
check() { # WHEN OUTPUT
    holds "$1: runs" '^opened$' "$2"
    lacks "$1: unreadable" 'TOP|PEM' "$2"
    same "$1: unwritable" first "$(cat "$BOT_HOME/work/p/conf")"
    holds "$1: held in place" 'd: Permission|cannot move .?d.*busy' "$2"
}
check "open directories" "$(run "$try")"
run 'chmod 0 ~/work/d ~/work/g ~/work/p'
check "closed ones" "$(run "$try")"
run 'chmod 311 ~/work/g/x; chmod 0 ~/work/g ~/work/d ~/work'
# A closed workspace could hold a policy file, and nobody knows what that was to take away.
holds "closed above" 'work/.sbx/policy.ini: cannot be read as the account' "$(run true)"
chmod 0755 "$BOT_HOME/work"
check "closed below" "$(run "$try")"

# In a writable home the keys lie one directory away.
echo KEY >"$BOT_HOME/.ssh/id_test"
chown -R "$BOT": "$BOT_HOME/.ssh"
world_policy
sed -i '/^allow_write/d; s,^workspace = .*,workspace = ~,' "$ROOT/etc/sbx/policy.ini"
run 'chmod 0 ~'
out=$(run 'chmod 755 ~ && echo opened; cat ~/.ssh/id_test; mv ~/.ssh ~/s; cat ~/s/id_test')
chmod 755 "$BOT_HOME"
holds "a closed home could hold one too" 'cannot be read as the account' "$out"
lacks "the keys" KEY "$out"
rm -rf "$BOT_HOME/.ssh/id_test"
