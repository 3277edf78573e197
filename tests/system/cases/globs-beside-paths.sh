# A pattern takes away what it matches and nothing else: what paths deny below a match stays denied, what
# they allow there stays allowed. Each run is a jail of its own, and what it runs is not judged.
. tests/system/lib.sh

run() { # TEXT
    "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- sh -c "cd ~/work; $1" 2>&1
}
mkdir -p "$BOT_HOME"/work/a/b/{secret,out,keep/pub}
for file in a/b/secret/key a/b/keep/key; do echo TOP >"$BOT_HOME/work/$file"; done
for file in a/conf a/b/conf a/b/out/file a/b/keep/pub/file; do echo first >"$BOT_HOME/work/$file"; done
chown -R "$BOT": "$BOT_HOME/work"

# The match lies above the paths.
world_policy 'deny_write = ~/work/a/*' 'deny_read = ~/work/a/b/secret' 'allow_write = ~/work/a/b/out'
out=$(run 'cat a/b/secret/key a/b/conf; echo new >a/b/out/file; echo evil >a/b/conf; ls a/b')
lacks "denied below a match" TOP "$out"
holds "readable below it" '^first$' "$out"
same "allowed below it" new "$(cat "$BOT_HOME/work/a/b/out/file")"
same "denied by the pattern" first "$(cat "$BOT_HOME/work/a/b/conf")"

# It matches the workspace too, whose own rule is stronger.
world_policy 'deny_write = ~/*' 'deny_write = ~/work/a/conf' 'deny_read = ~/work/a/b/secret'
out=$(run 'cat a/b/secret/key; echo evil >a/conf; echo new >a/b/conf')
lacks "denied in the workspace" TOP "$out"
same "unwritable in it" first "$(cat "$BOT_HOME/work/a/conf")"
same "the workspace" new "$(cat "$BOT_HOME/work/a/b/conf")"

# A folder that a path denies, with one in it open, and a pattern too: the jail ended as it began.
world_policy 'deny_read = ~/work/a/b/keep' 'deny_read = ~/work/a/b/kee*' 'allow_read = ~/work/a/b/keep/pub'
out=$(run 'cat a/b/keep/key; cat a/b/keep/pub/file')
lacks "denied by both" TOP "$out"
holds "with one open" '^first$' "$out"

# A folder that a pattern denies, but for one in it.
world_policy 'deny_read = ~/work/*/b/k*p' 'allow_read = ~/work/a/b/keep/pub'
out=$(run 'cat a/b/keep/key; cat a/b/keep/pub/file')
lacks "denied by the pattern" TOP "$out"
holds "but for one" '^first$' "$out"
