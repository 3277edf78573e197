# The jail stays for its linger time after the last session, then goes without a trace.
. tests/system/lib.sh

starts() { events | grep -c '"action":"start"'; }
before=$(starts)
world_policy '[jail]' "linger = $((2 * SLOW))s"
sed -i '/^linger = 30s/d' "$ROOT/etc/sbx/policy.ini"
first=$(bot 'readlink /proc/self/ns/pid')
same "the next login meets the same jail" "$first" "$(bot 'readlink /proc/self/ns/pid')"
jail_lives || fail "the jail is gone at once"
wait_until 12 jail_gone || fail "the jail stays"
wait_until 5 no_leftovers || fail "left: $(leftovers)"
# Not by its namespace: the kernel gives numbers out again.
same "the login after that" in "$(bot 'echo in')"
same "jails since" $((before + 2)) "$(starts)"
