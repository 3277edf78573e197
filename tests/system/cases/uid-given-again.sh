# A uid that is given to somebody else while the old account's jail lingers: the newcomer's processes
# are nobody's strays, and the old jail ends.
. tests/system/lib.sh

old=sbxt-old$$ new=sbxt-new$$
gone() {
    for name in "$old" "$new"; do
        ! id "$name" >/dev/null 2>&1 || userdel -r "$name" 2>/dev/null
    done
    rm -rf "/home/$old"
}
trap gone EXIT
useradd -m -s /bin/bash "$old"
uid=$(id -u "$old")
install -d -o "$old" "/home/$old/work"
printf '[accounts]\nuser = %s\n' "$old" >>"$ROOT/etc/sbx/policy.ini"
jail_of_uid() { ls "$ROOT/run/sbx/jails" | grep -q "^$uid-[0-9]*$"; }
"$B/sbxctl" run --root "$ROOT" --account "$old" -- sleep 60 >/dev/null 2>&1 &
wait_until 20 jail_of_uid || fail "no jail"
sleep 1 # until its session has joined
same "while the account is its own, a stray ends" 137 \
    "$(status_of setpriv --reuid "$uid" --clear-groups sleep 5)"

userdel -f "$old" 2>/dev/null
useradd -o -u "$uid" -M -s /bin/bash "$new"
same "a newcomer's process" 0 "$(status_of setpriv --reuid "$uid" --clear-groups sleep 2)"
no_jail_of_uid() { ! jail_of_uid; }
wait_until 15 no_jail_of_uid || fail "the old jail stays"
