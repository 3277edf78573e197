# on_error = last-good: while the files have an error the last policy without one goes on, for those it
# confined and nobody else; refuse, the default, lets nobody in.
. tests/system/lib.sh

file=$ROOT/etc/sbx/policy.ini kept=$ROOT/var/lib/sbx/last-good
trap 'rm -rf "$kept"; world_policy; usermod -s "$B/sbxsh" "$BOT"' EXIT
spoil() { echo 'colour = red' >>"$file"; }
refused() { # WHAT
    [ "$(status_of bot 'echo ran')" -ge 254 ] || fail "$1: not refused"
    ! grep -qx ran "$W/out/last" || fail "$1: a command ran"
}

world_policy
bot true || fail "no login"
[ ! -e "$kept/$BOT_UID" ] || fail "a policy is kept that nobody asked for"
spoil
refused "on_error = refuse"

world_policy '[permissions]' 'deny = Bash(make:*)' '[sandbox]' 'on_error = last-good'
same "a rule" 126 "$(status_of bot 'make -v')"
same "it is kept, for root alone" "600 0" "$(stat -c '%a %u' "$kept/$BOT_UID")"
pid=$(bot 'readlink /proc/self/ns/pid')
spoil
same "the live jail goes on" "$pid" "$(bot 'readlink /proc/self/ns/pid')"
same "under the rule" 126 "$(status_of bot 'make -v')"
jails_kill
same "a new jail too" 0 "$(status_of bot true)"
same "under the rule again" 126 "$(status_of bot 'make -v')"
holds "that is an event, with the error" '"action": *"last-good".*colour' "$(events)"
same "others log in" hello "$(human 'echo hello')"
rm "$file"
mkfifo "$file"
same "whatever is wrong with the files" 126 "$(status_of bot 'make -v')"
rm "$file"
world_policy
jails_kill
same "a good policy counts at once" 0 "$(status_of bot 'make -v')"
[ ! -e "$kept/$BOT_UID" ] || fail "the kept policy outlives on_error = last-good"
spoil
jails_kill
refused "refuse again"

# Whom policy let go meanwhile is not confined again by what was kept before.
world_policy '[sandbox]' 'on_error = last-good'
bot true || fail "no login"
holds "status says so" 'unless on_error = last-good' "$(spoil; "$B/sbxctl" status --root "$ROOT")"
world_policy '[sandbox]' 'on_error = last-good'
sed -i "s/^user = .*/user = $HUMAN/" "$file"
usermod -s /bin/bash "$BOT"
jails_kill
outside=$(readlink /proc/self/ns/pid)
same "an account that is let go" "$outside" "$(bot 'readlink /proc/self/ns/pid')"
[ ! -e "$kept/$BOT_UID" ] || fail "its policy is kept"
spoil
same "it stays free where the files have an error" "$outside" "$(bot 'readlink /proc/self/ns/pid')"
usermod -s "$B/sbxsh" "$BOT"

# What is kept counts only as root wrote it.
world_policy '[sandbox]' 'on_error = last-good'
bot true || fail "no login"
spoil
jails_kill
head -c 100 "$kept/$BOT_UID" >"$kept/cut" && cat "$kept/cut" >"$kept/$BOT_UID" && rm "$kept/cut"
refused "a damaged one"
world_policy '[sandbox]' 'on_error = last-good'
bot true || fail "no login"
spoil
jails_kill
chmod 0666 "$kept/$BOT_UID"
refused "one that others can write"
