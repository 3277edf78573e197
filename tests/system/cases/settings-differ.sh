# A login whose PAM line sets other things than the live jail was built with is not put into it: it gets
# a jail with its own settings, and the other one ends after its grace.
. tests/system/lib.sh

look='readlink /proc/self/ns/mnt; ulimit -n'
by_su() { PAM_ARGUMENTS=$1 without_terminal "$with_pam" su - "$BOT" -c "$look"; }
jail() { head -n 1 <<<"$1"; }
limit() { tail -n 1 <<<"$1"; }

world_policy '[jail]' 'grace = 2s'
bot 'setsid sleep 200 >/dev/null 2>&1 &' || fail "cannot log in"
plain=$(bot "$look")
same "the same words, none: the same jail" "$(jail "$plain")" "$(jail "$(by_su '')")"

set=$(by_su 'set:limits.open_files=99 set:limits.file_size=1G')
same "other words hold" 99 "$(limit "$set")"
[ "$(jail "$set")" != "$(jail "$plain")" ] || fail "joined the jail of other settings"
holds "said" 'retire.*other settings' "$(events)"
old_gone() { ! pgrep -U "$BOT_UID" -f 'sleep 200' >/dev/null; }
! old_gone || fail "the old jail had no grace"
same "the same words in another order: the same jail" "$set" \
    "$(by_su 'set:limits.file_size=1G set:limits.open_files=99')"
wait_until 15 old_gone || fail "the old jail lives past its grace"

again=$(bot "$look")
[ "$(limit "$again")" != 99 ] || fail "a line without the words has their limit"
same "one jail takes sessions" 1 "$(jail_names | grep -vc '~')"
