# sbxctl run: the program's own status, streams, directory, identity and environment; nothing printed
# besides; the jail and all that was left running in it gone when it returns; the chain whole.
. tests/system/lib.sh

run() { timeout -k 5 60 "$B/sbxctl" run --root "$ROOT" --account "$BOT" "$@"; }

same "identity" "$BOT_UID $BOT_UID" "$(run -- sh -c 'echo $(id -u) $(id -g)')"
same "directory" "$BOT_HOME/work" "$(run -- pwd)"
same "status" 7 "$(status_of run -- sh -c 'exit 7')"
same "status of a signal" 137 "$(status_of run -- sh -c 'kill -9 $$')"
same "no such program" 127 "$(status_of run -- nonesuch)"
same "no program" 126 "$(status_of run -- /etc/passwd)"
same "prints nothing" '' "$(run -- true 2>&1)"
head -c 10000000 /dev/urandom >"$W/out/blob"
run -- cat <"$W/out/blob" >"$W/out/copy"
cmp "$W/out/blob" "$W/out/copy" || fail "bytes changed"
same "a closed pipe" y "$(run -- yes 2>/dev/null | head -n 1)"
same "closed streams" '/dev/null' "$(run -- readlink /proc/self/fd/0 <&-)"

env=$(LD_PRELOAD=/nonexistent.so BASH_ENV=/x API_TOKEN=secret run -- env 2>/dev/null)
lacks "a fresh environment" 'LD_PRELOAD|BASH_ENV|secret|TERM=' "$env"
holds "HOME" "^HOME=$BOT_HOME\$" "$env"
holds "LOGNAME" "^LOGNAME=$BOT\$" "$env"

exec 9</etc/hostname
same "no descriptor but three" '0 1 2' "$(run -- bash -c 'cd /proc/$$/fd; for n in 0 1 2 9 10 11 12; do [ -e $n ] && echo $n; done' | xargs)"
exec 9<&-
same "no capability" '0000000000000000' "$(run -- grep CapBnd /proc/self/status | cut -f2)"
same "what is left running ends" started "$(run -- sh -c 'setsid sleep 4321 & echo started')"
[ -z "$(pgrep -U "$BOT_UID" -x sleep)" ] || fail "it still runs"
no_jail_names || fail "a jail is left: $(jail_names)"
same "write outside" 1 "$(status_of run -- sh -c "echo x 2>/dev/null >$BOT_HOME/x || exit 1")"
run -- sh -c 'echo x >x' || fail "no write in the workspace"
[ -f "$BOT_HOME/work/x" ] || fail "the file is not there"

mkdir -p "$W/out/ws" && chown "$BOT" "$W/out/ws"
same "--workspace" "$W/out/ws" "$(run --workspace "$W/out/ws" -- pwd)"
same "a workspace that is not there" 254 "$(status_of run --workspace /nonexistent -- pwd)"
same "--set" 254 "$(status_of run --set limits.taks_max=5 -- true)"
printf '[environment]\nset = FOO=bar baz\nkeep = LANG\n' >"$W/out/policy.ini"
same "--policy" 'bar baz C.UTF-8' "$(LANG=C.UTF-8 run --policy "$W/out/policy.ini" -- sh -c 'echo $FOO $LANG')"
same "uid 0" 254 "$(status_of timeout 60 "$B/sbxctl" run --root "$ROOT" --account root -- true)"
holds "refusals are events" "\"source\":\"sbxctl\".*\"action\":\"refuse\".*taks_max" "$(events host)"
same "no account" 2 "$(status_of "$B/sbxctl" run --root "$ROOT" -- true)"
"$B/sbxctl" events verify --root "$ROOT" || fail "the record is not whole"

# A relative name that means a program beside sbxctl, from where the caller stands, is that program.
same "a whole session by a relative name" 126 \
    "$(cd "$B/.." && status_of "./${B##*/}/sbxctl" run --root "$ROOT" --account "$BOT" -- "./${B##*/}/sbxsh" -c 'rm -rf /')"
