# enroll makes an account a confined one, unenroll leaves it as it was.
. tests/system/lib.sh

# Below the state root: the machine's own units are not touched by a trial.
mkdir -p "$ROOT/etc/systemd/system"
unit=$ROOT/etc/systemd/system/user@$HUMAN_UID.service
before=$(getent passwd "$HUMAN"; ls -A "$HUMAN_HOME"; ls -d "$unit" 2>&1)
mv "$HUMAN_HOME/work" "$W/out/work"
trap 'mv "$W/out/work" "$HUMAN_HOME/work"; rm -f "$unit"; usermod -s /bin/bash "$HUMAN" 2>/dev/null' EXIT
enrol() { "$B/sbxctl" "$@" --root "$ROOT" "$HUMAN"; }

# All that it may change, byte for byte and with owners and modes.
all() {
    getent passwd "$HUMAN"
    id "$HUMAN"
    find "$HUMAN_HOME" -maxdepth 1 -printf '%p %u %m %y %l\n' | sort
    find "$ROOT/etc" "$ROOT/var/lib" -printf '%p %u %g %m %y %l\n' | sort
    find "$ROOT/etc" "$ROOT/var/lib" -type f -exec cat {} + | md5sum
}
# As on a Debian machine: at is for all but those named, crontab for everybody; and the account lingers.
linger=$ROOT/var/lib/systemd/linger/$HUMAN
mkdir -p "${linger%/*}"
touch "$linger" "$ROOT/etc/debian_version"
printf 'games\nnobody' >"$ROOT/etc/at.deny"
chown root:daemon "$ROOT/etc/at.deny"
chmod 0640 "$ROOT/etc/at.deny"
trap 'enrol unenroll >/dev/null 2>&1; mv "$W/out/work" "$HUMAN_HOME/work"; rm -f "$unit" "$ROOT"/etc/{at.deny,cron.*,debian_version}
    rm -rf "$ROOT/var/lib/systemd"; usermod -s /bin/bash "$HUMAN" 2>/dev/null' EXIT
begun=$(all)

said=$(enrol enroll --dry-run) || fail "dry run"
same "a dry run does nothing" "$begun" "$(all)"
same "and says all of it" "would make the workspace $HUMAN_HOME/work
would mask user@$HUMAN_UID.service, whose units would run outside the jail
would end lingering, which starts its user manager at boot
would add $HUMAN to $ROOT/etc/cron.deny
would add $HUMAN to $ROOT/etc/at.deny
would add $HUMAN to $ROOT/etc/sbx/policy.d/50-enrolled.ini
would set the login shell to $B/sbxsh (now /bin/bash)" "$said"
same "which is what it does" "$(sed 's/^would //' <<<"$said")
$HUMAN is enrolled; sbxctl doctor tells what is left to do" "$(enrol enroll)"
same "lingers no more" no "$([ -e "$linger" ] && echo yes || echo no)"
same "cron" "$HUMAN" "$(cat "$ROOT/etc/cron.deny")"
same "at" "games nobody $HUMAN" "$(xargs <"$ROOT/etc/at.deny")"
same "whose file is at's as before" '640 root daemon' "$(stat -c '%a %U %G' "$ROOT/etc/at.deny")"
same "shell" "$B/sbxsh" "$(getent passwd "$HUMAN" | cut -d: -f7)"
same "workspace" "$HUMAN" "$(stat -c %U "$HUMAN_HOME/work")"
holds "policy" "^user = $HUMAN\$" "$(cat "$ROOT/etc/sbx/policy.d/50-enrolled.ini")"
same "user manager" /dev/null "$(readlink "$unit")"
[ ! -L "/etc/systemd/system/user@$HUMAN_UID.service" ] || fail "the machine's own unit was masked"
enrolled=$(all)
same "enroll again" "$HUMAN is enrolled; sbxctl doctor tells what is left to do" "$(enrol enroll)"
same "which changes nothing" "$enrolled" "$(all)"
same "nor would a dry run" '' "$(enrol enroll --dry-run)"
# What was undone by hand is done again, that alone.
usermod -s /bin/bash "$HUMAN"
same "a part of it again" "set the login shell to $B/sbxsh (now /bin/bash)
$HUMAN is enrolled; sbxctl doctor tells what is left to do" "$(enrol enroll)"
same "and all is as it was" "$enrolled" "$(all)"
enrol unenroll --dry-run >"$W/out/said" || fail "unenroll --dry-run"
same "a dry run of the way back" "$enrolled" "$(all)"
lacks "a dry run of the way back" '^[^w]' "$(cat "$W/out/said")"
same "confined" 254 "$(status_of as_human "$B/sbxsh" -c true)"
enrol unenroll >/dev/null || fail "unenroll"
mv "$W/out/work" "$HUMAN_HOME/work"
same "as before" "$before" "$(getent passwd "$HUMAN"; ls -A "$HUMAN_HOME"; ls -d "$unit" 2>&1)"
[ ! -e "$ROOT/etc/sbx/policy.d/50-enrolled.ini" ] || fail "the list is left"
[ -e "$linger" ] || fail "it does not linger again"
[ ! -e "$ROOT/etc/cron.deny" ] || fail "a cron.deny that was not there is left"
same "at, as before" "games nobody" "$(xargs <"$ROOT/etc/at.deny")"
same "whose file is at's" '640 root daemon' "$(stat -c '%a %U %G' "$ROOT/etc/at.deny")"
same "unenroll again" 1 "$(status_of enrol unenroll)"
mv "$HUMAN_HOME/work" "$W/out/work"

# A link in the way is not followed, and an account as good as root is refused.
as_human ln -s .cache work
same "a linked workspace" 2 "$(status_of enrol enroll)"
rm "$HUMAN_HOME/work"
for group in disk sudo; do
    usermod -aG $group "$HUMAN"
    same "a dangerous group" 2 "$(status_of enrol enroll)"
    holds "a dangerous group" "$HUMAN is in group $group, which .*; take it out first: gpasswd -d $HUMAN $group" "$(cat "$W/out/last")"
    same "nor as a dry run" 2 "$(status_of enrol enroll --dry-run)"
    gpasswd -d "$HUMAN" $group >/dev/null
done
usermod -g disk "$HUMAN"
same "a dangerous group of its own" 2 "$(status_of enrol enroll)"
usermod -g "$HUMAN" "$HUMAN"

# cron and at where an administrator has said who may, and where nobody but root may anyway.
rm -f "$ROOT/etc/debian_version" "$ROOT"/etc/{cron,at}.deny
would() { enrol enroll --dry-run | grep -E '/etc/(cron|at)'; }
same "neither file: root alone" '' "$(would)"
: >"$ROOT/etc/cron.deny"
same "an empty cron.deny: everybody" "would add $HUMAN to $ROOT/etc/cron.deny" "$(would)"
printf '%s\n' "x$HUMAN" "${HUMAN}x" >"$ROOT/etc/cron.deny"
same "names that hold its name" "would add $HUMAN to $ROOT/etc/cron.deny" "$(would)"
echo "$HUMAN" >>"$ROOT/etc/cron.deny"
same "named already" '' "$(would)"
echo root >"$ROOT/etc/cron.allow"
echo root >"$ROOT/etc/cron.deny"
same "a cron.allow without it" '' "$(would)"
echo "$HUMAN" >>"$ROOT/etc/cron.allow"
same "and with it" "note: /etc/cron.allow names $HUMAN: it may give jobs to cron, which run in its jail" "$(would)"
rm "$ROOT/etc/cron.allow"
chmod 0666 "$ROOT/etc/cron.deny"
same "one that others write" 2 "$(status_of enrol enroll)"
holds "one that others write" 'cron.deny has the wrong kind, owner, mode or size' "$(cat "$W/out/last")"
enrol unenroll >/dev/null || fail "half of it back"
rm "$ROOT/etc/cron.deny"
same "root" 2 "$(status_of "$B/sbxctl" enroll --root "$ROOT" root)"
same "nothing was done" /bin/bash "$(getent passwd "$HUMAN" | cut -d: -f7)"
