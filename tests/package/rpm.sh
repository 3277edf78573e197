#!/bin/bash
# The rpm on a copy of this machine: installs, works, and leaves a clean root.
# tests/package/rpm.sh RPM
#
# The copy is this machine's root, so on Debian what the rpm would require is there under other
# names: hence --nodeps.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/report.sh
. tests/package/root.sh
package=${1:?usage: rpm.sh RPM}

if [ "${SBX_IN_COPY:-}" != 1 ]; then
    export SBX_IN_COPY=1
    throwaway_root tests/package/rpm.sh "$package"
    exit
fi

run_rpm() { rpm --dbpath /var/lib/rpm --nodeps "$@" </dev/null; }
session='session required pam_sbx.so service=sbxt-rpm'

check 'it installs' run_rpm -i "$package"
same 'sbxsh may be run and not read' '711 root root' "$(stat -c '%a %U %G' /usr/bin/sbxsh)"
same 'the log is not for everybody' '750 root sbx-operators' "$(stat -c '%a %U %G' /var/log/sbx)"
check 'what is installed is what was packed' run_rpm -V --nodeps sbx
check 'sbxctl judges' sbxctl check --account nobody -c 'echo hello'
check 'the shipped policy is valid' sbxctl policy check

make_account sbxt-agent /usr/bin/sbxsh
same 'a program runs in a jail of its own' sbx-init \
    "$(sbxctl run --account sbxt-agent -- cat /proc/1/comm)"

printf '[sandbox]\nenabled = yes\n[accounts]\nuser = sbxt-agent\n' >/etc/sbx/policy.d/test.ini
cp /etc/pam.d/su-l /etc/pam.d/su-l.sbxt
echo "$session" >>/etc/pam.d/su-l
same 'wired by hand, a confined account runs a command' inside "$(su - sbxt-agent -c 'echo inside')"
unit=/etc/systemd/system/user@$(id -u sbxt-agent).service
check 'it is enrolled' sbxctl enroll sbxt-agent
same 'its user manager is masked' /dev/null "$(readlink "$unit")"
refuse 'it is not removed while PAM names it' run_rpm -e sbx
mv /etc/pam.d/su-l.sbxt /etc/pam.d/su-l

check 'it can be removed' run_rpm -e sbx
refuse '… and the mask goes with it' test -L "$unit"
rm -rf /etc/sbx
userdel -r sbxt-agent 2>/dev/null
same 'nothing of it is left' '' "$(changes_left)"
finish package-rpm
