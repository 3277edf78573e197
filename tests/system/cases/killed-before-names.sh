# A warden and its launcher, killed when a control group is made and nothing else yet: the next login
# finds the group and takes it away.
. tests/system/lib.sh
command -v strace >/dev/null || skip "strace is not installed"
strace -qq -e trace=mkdir -o /dev/null true 2>/dev/null || skip "groups are made by another call here"

same "before" in "$(bot 'echo in')"
jails_kill
launch=$W/out/launch
printf 'account=%s\nuid=%s\nrun=no\n' "$BOT" "$BOT_UID" >"$launch"
groups() { find /sys/fs/cgroup -type d -name "sbx-$BOT_UID-w*" 2>/dev/null; }
has_groups() { [ -n "$(groups)" ]; }
no_groups() { ! has_groups; }

no_groups || fail "left by somebody else: $(groups)"
# Held back for ever at the end of the call that makes the first group.
strace -f -qq -o "$W/out/trace" -e trace=mkdir -e inject=mkdir:delay_exit=100000000 \
    "$B/sbx-warden" --launch "$BOT_UID" --root "$ROOT" <"$launch" >/dev/null 2>&1 &
tracer=$!
wait_until 20 has_groups || fail "no group is made"
wardens=$(pids_of_world | grep -vx "$tracer")
[ "$(wc -w <<<"$wardens")" -ge 2 ] || fail "not both are there: $wardens"
# shellcheck disable=SC2086 # a list
kill -KILL $wardens
kill -KILL $tracer
wait $tracer 2>/dev/null
has_groups || fail "the group went by itself: nothing is tried here"

same "the next login" in "$(bot 'echo in')"
same "one group, its own" "$(jail_state warden_pid)" "$(groups | sed 's/.*-w//' | sort -u)"
jails_kill
wait_until 10 no_groups || fail "left: $(groups)"
