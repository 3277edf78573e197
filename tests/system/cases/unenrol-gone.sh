# What enroll left outside an account is undone although userdel came first, and by its number.
. tests/system/lib.sh

name=sbxt-e$$ heir=sbxt-f$$
units=$ROOT/etc/systemd/system
mkdir -p "$units"
gone() {
    for account in "$name" "$heir"; do
        ! id "$account" >/dev/null 2>&1 || userdel -r "$account" 2>/dev/null
    done
    rm -rf "/home/$name" "$ROOT/var/lib/sbx/enrolled/$name" "$ROOT/etc/sbx/policy.d/50-enrolled.ini"
    rm -f "$units"/user@*.service
}
trap gone EXIT
make() { useradd -m -s /bin/bash "$@" 2>/dev/null || fail "no account"; }
enrol() { "$B/sbxctl" "$@" --root "$ROOT" "$name"; }
masks() { ls "$units"; }
listed() { cat "$ROOT"/etc/sbx/policy.d/*.ini 2>/dev/null | grep -x "user = $name"; }

make "$name"
uid=$(id -u "$name")
enrol enroll >/dev/null || fail "enroll"
same "masked" "user@$uid.service" "$(masks)"
userdel -r "$name" 2>/dev/null
said=$(enrol unenroll --dry-run) || fail "unenroll --dry-run of one that is gone"
holds "what it would do" "would unmask user@$uid.service" "$said"
same "and did not" "user@$uid.service" "$(masks)"
enrol unenroll >/dev/null || fail "unenroll of one that is gone"
same "unmasked" '' "$(masks)"
same "not listed" '' "$(listed)"
same "forgotten" 1 "$(status_of enrol unenroll)"

# The name came again with another number: enroll puts the old one's mask away, not this one's.
make "$name"
uid=$(id -u "$name")
enrol enroll >/dev/null || fail "enroll"
userdel -r "$name" 2>/dev/null
make -u $((uid + 7)) "$name"
enrol enroll >/dev/null || fail "enroll the second of that name"
same "masked" "user@$((uid + 7)).service" "$(masks)"

# The number came again with another name: its mask stays, and that is said.
userdel -r "$name" 2>/dev/null
make -u $((uid + 7)) "$heir"
holds "said" "leave user@$((uid + 7)).service masked" "$(enrol unenroll)"
same "stays" "user@$((uid + 7)).service" "$(masks)"
