# What runs in a jail that a tighter policy has retired: who ends the account's jail ends that one too,
# not its successor alone.
PROMISE=P5
SOURCE="own"
attack() { setsid sleep 46 </dev/null >/dev/null 2>&1 & }
launch() {
    by_ssh
    world_policy '[filesystem]' 'deny_write = ~/work/prod'
    bot true
    "$B/sbxctl" kill --root "$ROOT" "$BOT_UID"
    wait_until 2 none || :
}
none() { ! pgrep -U "$WHO_UID" -x sleep >/dev/null; }
success() { ! none; }
twin() { # without being ended it is there, for its grace
    be bot
    by_ssh
    world_policy '[filesystem]' 'deny_write = ~/work/prod'
    bot true
}
