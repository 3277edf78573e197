# A workspace that is a link to /etc, a file or on a read-only mount is refused by name; one that is
# missing is told, and the session starts in the home. Nothing is ever made.
. tests/system/lib.sh

run() { "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- "$@"; }

back() {
    ! mountpoint -q "$BOT_HOME/work" || umount "$BOT_HOME/work"
    rm -rf "$BOT_HOME/work"
    mv "$BOT_HOME/work.away" "$BOT_HOME/work"
}
mv "$BOT_HOME/work" "$BOT_HOME/work.away"
trap back EXIT

refused() { # WHAT PATTERN
    local out status
    out=$(run sh -c 'echo in; echo x >>here' 2>&1)
    status=$?
    same "$1: exit status" 254 "$status"
    holds "$1" "$2" "$out"
    wait_until 5 no_jail || fail "$1 left: $(leftovers)"
}
no_jail() { ! leftovers | grep -v "^mount $BOT_HOME/work$" | grep -q .; }

ln -s /etc "$BOT_HOME/work"
chown -h "$BOT_UID" "$BOT_HOME/work"
refused "a link to /etc" "work leads through a symbolic link that is not root's"
[ ! -e /etc/here ] || fail "something was written to /etc"
rm "$BOT_HOME/work"

echo x >"$BOT_HOME/work"
refused "a file" "work is not a directory"
rm "$BOT_HOME/work"

mkdir "$BOT_HOME/work"
chown "$BOT_UID" "$BOT_HOME/work"
mount --bind "$BOT_HOME/work" "$BOT_HOME/work"
mount -o remount,bind,ro "$BOT_HOME/work"
refused "a read-only mount" "work is on a read-only mount"
umount "$BOT_HOME/work"
rmdir "$BOT_HOME/work"
grep -q "\"action\":\"refuse\".*read-only mount" "$ROOT"/var/log/sbx/"$BOT_UID"-*.jsonl || fail "the failed build is not recorded"

same "a missing one" "$BOT_HOME" "$(run pwd)"
[ ! -e "$BOT_HOME/work" ] || fail "the workspace was made at login"
grep -q 'work: does not exist' "$ROOT"/var/log/sbx/"$BOT_UID"-*.jsonl || fail "nobody was told"
