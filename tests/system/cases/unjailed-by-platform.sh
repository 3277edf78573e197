# Each platform is recognised, and one that a managed list leaves out has no jail. What stands on a PAM
# line lets nobody out.
# limit: 240
. tests/system/lib.sh
. tests/system/unjailed.sh

plain() { rm -rf "$ROOT/proc" "$ROOT/run/systemd"; }
trap 'plain; bare_end; world_pam "/etc/pam.d/$SERVICE" "root=$ROOT" "service=$SERVICE"' EXIT
be_wsl2() {
    plain
    mkdir -p "$ROOT/proc"
    echo 'Linux version 5.15.90.1-microsoft-standard-WSL2 (oe-user@oe-host) (gcc) #1 SMP' >"$ROOT/proc/version"
}
be_container() {
    plain
    mkdir -p "$ROOT/run/systemd"
    echo docker >"$ROOT/run/systemd/container"
}
found() { "$B/sbxctl" status --root "$ROOT" | sed -n 's/^platform  //p'; }
jailed() { # WHAT
    local view
    view=$(bare 'readlink /proc/self/ns/mnt' 2>"$W/out/said")
    same "$1: no warning" "" "$(cat "$W/out/said")"
    holds "$1: runs" 'mnt:' "$view"
    [ "$view" != "$(bare_view)" ] || fail "$1: no jail"
}
left_out() { # PLATFORM LINE
    same "$1: without a jail" "$(bare_view)" "$(bare 'readlink /proc/self/ns/mnt' 2>"$W/out/said")"
    holds "$1: the warning" "NO JAIL: the platform of this machine is $1; sandbox.platform leaves it out \($2\)" \
        "$(cat "$W/out/said")"
    same "$1: judged" 126 "$(status_of bare 'rm -rf ~')"
}

# The machine's own, whatever it is, is one of the three; policy names none, and all of them count.
here=$(found)
holds "this machine" '^(linux|wsl2|container)$' "$here"
jailed "no list"
be_wsl2
same "WSL 2" wsl2 "$(found)"
jailed "WSL 2, no list"
be_container
same "a container" container "$(found)"
holds "doctor" '^ok +kernel +platform container \(.*/run/systemd/container\)$' "$("$B/sbxctl" doctor --root "$ROOT")"

world_policy '[sandbox]' 'platform = linux' 'platform = wsl2'
at=$ROOT/etc/sbx/policy.ini:$(grep -n 'platform = linux' "$ROOT/etc/sbx/policy.ini" | cut -d: -f1)
left_out container "$at"
holds "the event" "\"action\": *\"unjailed\".*\"rule\": *\"sandbox.platform leaves it out\".*\"origin\": *\"$at\"" \
    "$(events host | tail -n 3)"
holds "status" "^unjailed +$BOT: sandbox.platform leaves it out \($at\)" "$("$B/sbxctl" status --root "$ROOT")"
be_wsl2
jailed "WSL 2, listed"

# In the file of one account, for that account.
mkdir -p "$ROOT/etc/sbx/account.d"
printf '[sandbox]\nplatform = container\n' >"$ROOT/etc/sbx/account.d/$BOT.ini"
world_policy
left_out wsl2 "$ROOT/etc/sbx/account.d/$BOT.ini:2"
be_container
jailed "listed for the account"
rm -rf "$ROOT/etc/sbx/account.d"

# Not by an option.
be_wsl2
for word in sandbox.platform=linux sandbox.mode=disabled sandbox.fail_if_unavailable=no; do
    world_pam "/etc/pam.d/$SERVICE" "root=$ROOT" "service=$SERVICE" "set:$word"
    [ "$(status_of bare 'echo ran')" -ne 0 ] || fail "set:$word lets the account in"
    lacks "set:$word" '^ran' "$(cat "$W/out/last")"
    holds "set:$word is told" "${word%%=*}.* counts in the files below /etc/sbx alone, not as an option" \
        "$(events host | tail -n 1)"
    same "run --set $word" 254 \
        "$(status_of "$B/sbxctl" run --root "$ROOT" --account "$BOT" --set "$word" -- /bin/echo ran)"
done
