# Every process of the account killed at once: the jail stays whole, nobody gets in unconfined.
. tests/system/lib.sh

bot 'echo in; for i in 1 2 3 4; do sleep 200 & done; wait' >"$W/out/all" 2>/dev/null &
wait_until 20 grep -q in "$W/out/all" || fail "no session"
for pid in $(pgrep -U "$BOT_UID"); do kill -KILL "$pid"; done
same "the next login" "$BOT_UID" "$(bot 'id -u')"
[ "$(bot 'readlink /proc/self/ns/mnt')" != "$(readlink /proc/self/ns/mnt)" ] || fail "not confined"
