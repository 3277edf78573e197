# A jail in its grace is seen as what it is, and can be ended by itself.
. tests/system/lib.sh

# A session ends a little after its client: whether one is still there is no matter here.
names() { "$B/sbxctl" jails --root "$ROOT" --json |
    python3 -c 'import json, sys; print(*(j["jail"] + "=" + j["state"] for j in json.load(sys.stdin)))' |
    sed 's/=in use/=lingers/g'; }

mkdir -p "$BOT_HOME/work/private"
chown "$BOT:" "$BOT_HOME/work/private"
bot 'setsid sleep 200 >/dev/null 2>&1 &' || fail "cannot log in"
old=$(jail_state warden_pid)
same "at first" "$BOT_UID=lingers" "$(names)"
world_policy '[filesystem]' 'deny_write = ~/work/private'
bot 'setsid sleep 201 >/dev/null 2>&1 &' || fail "cannot log in again"
same "both are listed" "$BOT_UID=lingers $BOT_UID~$old=retired" "$(names)"
holds "in the table too" "^$BOT_UID~$old +$BOT .* retired\$" "$("$B/sbxctl" jails --root "$ROOT")"
holds "and counted" 'jails +2 live \(1 retired' "$("$B/sbxctl" status --root "$ROOT")"

"$B/sbxctl" kill --root "$ROOT" "$BOT_UID~$old" || fail "the retired one cannot be ended"
same "its successor lives" "$BOT_UID=lingers" "$(names)"
! pgrep -U "$BOT_UID" -f 'sleep 200' >/dev/null || fail "what ran in the old jail lives"
pgrep -U "$BOT_UID" -f 'sleep 201' >/dev/null || fail "what runs in the new jail was ended"
same "ended once" 1 "$(status_of "$B/sbxctl" kill --root "$ROOT" "$BOT_UID~$old")"
same "no name at all" 2 "$(status_of "$B/sbxctl" kill --root "$ROOT" "$BOT_UID~")"
