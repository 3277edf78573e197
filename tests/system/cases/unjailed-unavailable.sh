# A machine that cannot hold a jail (WSL 1, by a /proc/version below the state root): refused, with every
# item that is missing; without a jail only where a managed file says fail_if_unavailable = no. A shortage
# is no such machine, whatever that file says.
# limit: 300
. tests/system/lib.sh
. tests/system/unjailed.sh

wsl1() {
    mkdir -p "$ROOT/proc"
    echo 'Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com) (gcc version 5.4.0 (GCC) ) #1237-Microsoft' \
        >"$ROOT/proc/version"
}
mend() { rm -rf "$ROOT/proc"; }
trap 'mend; bare_end' EXIT
last_refusal() { events host | grep '"action": *"refuse"' | tail -n 1; }

wsl1
[ "$(status_of bare 'echo ran')" -ne 0 ] || fail "logged in on WSL 1"
lacks "refused" '^ran' "$(cat "$W/out/last")"
holds "by name" 'this machine lacks wsl: WSL 1 \(4.4.0-19041-Microsoft\)' "$(last_refusal)"
same "run: no jail" 254 "$(status_of "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- /bin/echo ran)"
holds "run: by name" 'lacks wsl: WSL 1' "$(cat "$W/out/last")"
holds "doctor" '^unavailable kernel +wsl is missing$' "$("$B/sbxctl" doctor --root "$ROOT")"
same "doctor: unavailable" 2 "$(status_of "$B/sbxctl" doctor --root "$ROOT")"
status=$("$B/sbxctl" status --root "$ROOT")
holds "status" '^sandbox +UNAVAILABLE' "$status"
holds "status, the item" '^ +wsl: WSL 1' "$status"
holds "status, what follows" 'logins of confined accounts are refused' "$status"

# Not every file may say so.
PAM_ARGUMENTS=set:sandbox.fail_if_unavailable=no
world_pam "/etc/pam.d/$SERVICE" "root=$ROOT" "service=$SERVICE" $PAM_ARGUMENTS
[ "$(status_of bare 'echo ran')" -ne 0 ] || fail "a PAM line lets an account in without a jail"
world_pam "/etc/pam.d/$SERVICE" "root=$ROOT" "service=$SERVICE"

world_policy '[sandbox]' 'fail_if_unavailable = no'
at=$ROOT/etc/sbx/policy.ini:$(grep -n 'fail_if' "$ROOT/etc/sbx/policy.ini" | cut -d: -f1)
same "without a jail" "$(bare_view)" "$(bare 'readlink /proc/self/ns/mnt' 2>"$W/out/said")"
holds "the warning: the item" 'NO JAIL: this machine lacks wsl: WSL 1' "$(cat "$W/out/said")"
holds "the warning: the place" "sandbox.fail_if_unavailable = no \($at\)" "$(cat "$W/out/said")"
same "one warning" 1 "$(wc -l <"$W/out/said")"
event=$(events host | grep '"action": *"unjailed"' | tail -n 1)
holds "the event" "\"rule\": *\"sandbox.fail_if_unavailable = no\".*\"origin\": *\"$at\".*lacks wsl" "$event"
same "judged" 126 "$(status_of bare 'rm -rf ~')"
status=$("$B/sbxctl" status --root "$ROOT")
holds "status names who" "^unjailed +$BOT: sandbox.fail_if_unavailable = no \($at\)" "$status"
holds "doctor names who" "^warning +accounts $BOT logs in without a jail: .*\($at\)" "$("$B/sbxctl" doctor --root "$ROOT")"
same "run never" 254 "$(status_of "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- /bin/echo ran)"

# The machine is mended: a jail, whatever the file would let be.
mend
lacks "a jail again" 'NO JAIL' "$(bare 'readlink /proc/self/ns/mnt' 2>&1)"
[ "$(bare 'readlink /proc/self/ns/mnt')" != "$(bare_view)" ] || fail "without a jail on a machine that can hold one"
holds "status" '^sandbox +available' "$("$B/sbxctl" status --root "$ROOT")"
jails_kill

# Shortages and broken parts are nobody's leave: each of these could be of an account's making.
mv "$BOT_HOME" "$BOT_HOME.away" && touch "$BOT_HOME"
[ "$(status_of bare 'echo ran')" -ne 0 ] || fail "no home: logged in"
rm -f "$BOT_HOME"
mv "$BOT_HOME.away" "$BOT_HOME"
lacks "no home" '^ran|NO JAIL' "$(cat "$W/out/last")"

command -v strace >/dev/null || skip "the rest: strace is not installed"
launch() { # CALLS ERRNO: the launcher, by itself, with these calls failing so; its status
    printf 'account=%s\nuid=%s\nrun=no\n' "$BOT" "$BOT_UID" >"$W/out/parameters"
    strace -f -qq -o /dev/null -e "trace=$1" -e "inject=$1:error=$2" "$B/sbx-warden" \
        --launch "$BOT_UID" --root "$ROOT" <"$W/out/parameters" >"$W/out/launch" 2>&1
    echo $?
}
same "no room for namespaces" 1 "$(launch clone3,unshare ENOSPC)"
holds "is said" 'cannot make the jail.s namespaces: No space left' "$(cat "$W/out/launch")"
holds "and tried" 'this machine lacks new-namespaces: No space left' "$(cat "$W/out/launch")"
same "no memory for a mount" 1 "$(launch fsopen,mount ENOMEM)"
same "no process" 1 "$(launch clone3,unshare EAGAIN)"
no_records || fail "records of a login that was refused: $(records)"
same "the twin: not permitted, as in a container" 33 "$(launch clone3,unshare EPERM)"
holds "is said" 'fail_if_unavailable = no[|].*[|]this machine lacks new-namespaces: Operation not permitted: in a container' \
    "$(cat "$W/out/launch")"

# A kernel of 2020: what sbx needs to build a jail is not there, and nothing else depends on it.
calls=open_tree,mount_setattr,clone3,landlock_create_ruleset
# shellcheck disable=SC2016 # expanded by the inner shell
old_kernel=("$with_pam" bash -c 'mount -t tmpfs -o mode=0755 tmpfs /run && mkdir -m 0755 /run/sbx &&
    mount --bind "$ROOT/run/sbx" /run/sbx && exec "$@"' bash
    strace -f -qq -o /dev/null -e "trace=$calls" -e "inject=$calls:error=ENOSYS")
output=$(without_terminal "${old_kernel[@]}" su - "$BOT" -c 'echo "in $SBX_JAIL"')
holds "an old kernel: without a jail ($(last_refusal))" "^in none" "$output"
holds "an old kernel: what is missing" 'NO JAIL: this machine lacks open_tree: .*; mount_setattr: ' "$output"

world_policy
lacks "an old kernel: refused where policy says so" '^in' \
    "$(without_terminal "${old_kernel[@]}" su - "$BOT" -c 'echo "in $SBX_JAIL"')"
for item in open_tree mount_setattr landlock; do
    holds "an old kernel: $item is in the log" "[ ;] *$item: " "$(last_refusal)"
done
same "and refused where policy says so" 1 "$(launch clone3,unshare EPERM)"
holds "with each item" 'lacks new-namespaces: .*; new-mounts: .*; cannot' "$(cat "$W/out/launch")"
rm -rf "$ROOT/run/sbx/unjailed"
