# An account that is confined by its group, with another shell.
PROMISE=P1
SOURCE="a mount protects an object, not a name; several names for one uid; CVE-2025-1390 class"
NEEDS_RUN=no
attack() { :; }
launch() {
    be human # not listed by name, shell bash
    sed -i "s/^user = .*/&\ngroup = $HUMAN/" "$ROOT/etc/sbx/policy.ini"
    human 'readlink /proc/self/ns/mnt' >"$W/out/ns"
    for pid in $(pgrep -U "$HUMAN_UID"); do kill -KILL "$pid"; done
    jails_kill
}
success() { [ "$(cat "$W/out/ns")" = "$(readlink /proc/self/ns/mnt)" ]; }
twin() {
    world_policy
    human 'readlink /proc/self/ns/mnt' >"$W/out/ns"
}
