# Not ours: no jail, no file, no log line, no descriptor, and the session is as it would be without.
. tests/system/lib.sh

session='readlink /proc/self/ns/mnt /proc/self/ns/pid; grep -E "NoNewPrivs|Seccomp|CapBnd" /proc/self/status; ls /proc/self/fd'
with=$(human "$session")
rm -rf "$ROOT/var/log/sbx" "$ROOT/run/sbx"
human true || fail "cannot log in"
[ ! -e "$ROOT/run/sbx" ] || fail "a login that is not ours made /run/sbx"
[ ! -e "$ROOT/var/log/sbx" ] || fail "a login that is not ours made a log"
trap 'world_pam "/etc/pam.d/$SERVICE" "root=$ROOT" "service=$SERVICE"' EXIT
sed -i '/pam_sbx/d' "/etc/pam.d/$SERVICE"
without=$(human "$session")
same "the session with and without the module" "$without" "$with"
