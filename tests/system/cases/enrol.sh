# enroll makes an account a confined one, unenroll leaves it as it was.
. tests/system/lib.sh

# Below the state root: the machine's own units are not touched by a trial.
mkdir -p "$ROOT/etc/systemd/system"
unit=$ROOT/etc/systemd/system/user@$HUMAN_UID.service
before=$(getent passwd "$HUMAN"; ls -A "$HUMAN_HOME"; ls -d "$unit" 2>&1)
mv "$HUMAN_HOME/work" "$W/out/work"
trap 'mv "$W/out/work" "$HUMAN_HOME/work"; rm -f "$unit"; usermod -s /bin/bash "$HUMAN" 2>/dev/null' EXIT
enrol() { "$B/sbxctl" "$@" --root "$ROOT" "$HUMAN"; }

enrol enroll --dry-run >/dev/null || fail "dry run"
[ ! -e "$HUMAN_HOME/work" ] || fail "a dry run did something"
enrol enroll >/dev/null || fail "enroll"
same "shell" "$B/sbxsh" "$(getent passwd "$HUMAN" | cut -d: -f7)"
same "workspace" "$HUMAN" "$(stat -c %U "$HUMAN_HOME/work")"
holds "policy" "^user = $HUMAN\$" "$(cat "$ROOT/etc/sbx/policy.d/50-enrolled.ini")"
same "user manager" /dev/null "$(readlink "$unit")"
[ ! -L "/etc/systemd/system/user@$HUMAN_UID.service" ] || fail "the machine's own unit was masked"
same "enroll again" "$HUMAN is enrolled; sbxctl doctor tells what is left to do" "$(enrol enroll)"
same "confined" 254 "$(status_of as_human "$B/sbxsh" -c true)"
enrol unenroll >/dev/null || fail "unenroll"
mv "$W/out/work" "$HUMAN_HOME/work"
same "as before" "$before" "$(getent passwd "$HUMAN"; ls -A "$HUMAN_HOME"; ls -d "$unit" 2>&1)"
[ ! -e "$ROOT/etc/sbx/policy.d/50-enrolled.ini" ] || fail "the list is left"
same "unenroll again" 1 "$(status_of enrol unenroll)"
mv "$HUMAN_HOME/work" "$W/out/work"

# A link in the way is not followed, and an account as good as root is refused.
as_human ln -s .cache work
same "a linked workspace" 2 "$(status_of enrol enroll)"
rm "$HUMAN_HOME/work"
usermod -aG disk "$HUMAN"
same "a dangerous group" 2 "$(status_of enrol enroll)"
gpasswd -d "$HUMAN" disk >/dev/null
same "root" 2 "$(status_of "$B/sbxctl" enroll --root "$ROOT" root)"
same "nothing was done" /bin/bash "$(getent passwd "$HUMAN" | cut -d: -f7)"
