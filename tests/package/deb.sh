#!/bin/bash
# The Debian package on a copy of this machine: installs, wires PAM, confines, harms nobody, goes.
# tests/package/deb.sh DEB
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/report.sh
. tests/package/root.sh
deb=${1:?usage: deb.sh DEB}

if [ "${SBX_IN_COPY:-}" != 1 ]; then
    errors=$(lintian --fail-on error --no-tag-display-limit --allow-root "$deb" 2>&1)
    same 'lintian finds no error' 0 $?
    grep -E '^[EW]:' <<<"$errors" | sed 's/^/        /'
    export SBX_IN_COPY=1
    throwaway_root tests/package/deb.sh "$deb"
    same 'the package in a copy of this machine' 0 $?
    finish package-deb
    exit
fi

# --- from here on in the copy ---------------------------------------------------------------------
as() { su -s /bin/sh -c "$2" "$1"; }
run_dpkg() { DEBIAN_FRONTEND=noninteractive dpkg "$@" </dev/null; }

make_account sbxt-plain /bin/bash
check 'it installs' run_dpkg -i "$deb"
check 'pam_sbx is wired for sessions' grep -q pam_sbx /etc/pam.d/common-session
check '… without a terminal too' grep -q pam_sbx /etc/pam.d/common-session-noninteractive
check '… for accounts' grep -q pam_sbx /etc/pam.d/common-account
check '… and for sshd to enter' grep -q pam_sbx /etc/pam.d/common-auth
same 'pam_sbx comes last among sessions' pam_sbx.so \
    "$(grep -E '^session' /etc/pam.d/common-session | tail -n 1 | grep -o 'pam_[a-z]*\.so')"
same 'sbxsh may be run and not read' '711 root root' "$(stat -c '%a %U %G' /usr/bin/sbxsh)"
same 'nothing is setuid, setgid or has capabilities' '' "$(dpkg -L sbx | while IFS= read -r path; do
    [ ! -f "$path" ] || find "$path" -perm /6000; getcap "$path"; done 2>&1)"
same 'the log is not for everybody' '750 root sbx-operators' "$(stat -c '%a %U %G' /var/log/sbx)"
check 'sbxctl judges' sbxctl check --account sbxt-plain -c 'echo hello'
check 'the shipped policy is valid' sbxctl policy check
check 'a plain account logs in' as sbxt-plain 'exit 0'

make_account sbxt-agent /usr/bin/sbxsh
printf '[sandbox]\nenabled = yes\n[accounts]\nuser = sbxt-agent\n' >/etc/sbx/policy.d/test.ini
same 'a confined account runs a command' inside "$(su - sbxt-agent -c 'echo inside')"
same '… in a pid namespace of its own' '' \
    "$(su - sbxt-agent -c 'cat /proc/1/comm' | grep -v '^sbx-init$')"
denied=$(su - sbxt-agent -c 'rm -rf /' 2>&1)
same 'a denied command ends with 126' 126 $?
contains '… and with its sentence' '^sbxsh: denied: ' "$denied"
contains '… and is recorded' 'rm -rf /' "$(sbxctl events 2>&1)"
check 'a plain account still logs in' as sbxt-plain 'exit 0'

# A module that cannot be loaded keeps out the accounts that are sbx's, and nobody else.
module=$(dpkg -L sbx | grep 'pam_sbx\.so$')
mv "$module" "$module.away"
check 'without the module a plain account logs in' as sbxt-plain 'exit 0'
check '… and root does' as root 'exit 0'
refuse '… and an account of sbx does not' su -s /bin/sh -c 'exit 0' sbxt-agent
echo broken >"$module"
check 'with a broken module a plain account logs in' as sbxt-plain 'exit 0'
refuse '… and an account of sbx does not' su -s /bin/sh -c 'exit 0' sbxt-agent
rm "$module"
mv "$module.away" "$module"

check 'it installs over itself' run_dpkg -i "$deb"
same '… and the account is still confined' inside "$(su - sbxt-agent -c 'echo inside')"

unit=/etc/systemd/system/user@$(id -u sbxt-agent).service
check 'it is enrolled' sbxctl enroll sbxt-agent
same 'its user manager is masked' /dev/null "$(readlink "$unit")"
check 'it may give no jobs to cron' grep -qsx sbxt-agent /etc/cron.deny
su - sbxt-agent -c 'sleep 1000 >/dev/null 2>&1 &'
check 'it can be removed while a jail lives' run_dpkg -r sbx
same '… which ends' '' "$(pgrep -u sbxt-agent)"
check 'a plain account logs in after removal' as sbxt-plain 'exit 0'
same '… and the mask stays for as long as the record' /dev/null "$(readlink "$unit")"
check 'it can be purged' run_dpkg -P sbx
refuse '… and the mask goes with it' test -L "$unit"
refuse '… and the account may give jobs again' grep -qsx sbxt-agent /etc/cron.deny /etc/at.deny
userdel -r sbxt-agent 2>/dev/null
userdel -r sbxt-plain 2>/dev/null
same 'nothing of it is left' '' "$(changes_left)"
finish package-deb
