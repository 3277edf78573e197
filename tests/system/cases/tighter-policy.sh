# No session joins a jail that is looser than today's policy: a new one is made, the old one ends.
. tests/system/lib.sh

mkdir -p "$BOT_HOME/work/private"
chown "$BOT:" "$BOT_HOME/work/private"
world_policy '[jail]' 'grace = 2s'
bot 'nohup sleep 200 >/dev/null 2>&1 &' || fail "cannot log in"
first=$(bot 'readlink /proc/self/ns/mnt; touch private/before')
world_policy '[jail]' 'grace = 2s' '[filesystem]' 'deny_write = ~/work/private'
second=$(bot 'readlink /proc/self/ns/mnt')
[ "$first" != "$second" ] || fail "joined the looser jail"
[ "$(status_of bot 'touch private/after')" -ne 0 ] || fail "today's policy does not hold"
old_gone() { ! pgrep -U "$BOT_UID" -f 'sleep 200' >/dev/null; }
wait_until 15 old_gone || fail "the old jail lives past its grace"
