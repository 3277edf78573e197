#!/bin/bash
# The faults of cases/doctor-faults.sh. Runs in a throw-away copy of the machine's root (tests/package/root.sh), where
# sbx is installed and nothing is wrong but what is planted.
set -u
. tests/package/root.sh
A=sbxt-doctor
W=/tmp/doctor
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mkdir -p $W

fail() {
    printf 'failed: %s\n' "$*" >&2
    exit 1
}

# --- the machine, with nothing wrong ----------------------------------------------------------------
# A copy of its own: through the other one the locks of whoever changes the machine's accounts meanwhile are seen.
cp -a /etc $W/etc || fail "no /etc"
rm -f $W/etc/*.lock
mount --bind $W/etc /etc || fail "no /etc"
install_here >$W/install 2>&1 || fail "install: $(tail -n 3 $W/install)"
make_account $A /usr/bin/sbxsh || fail "no account"
UID_OF_A=$(id -u $A)
printf '[sandbox]\nenabled = yes\n[accounts]\nuser = %s\n' $A >/etc/sbx/policy.ini
mkdir -p /run/systemd/system /etc/systemd/system /var/log/sbx /var/lib/sbx /run/sbx/jails
chmod 0750 /var/log/sbx
chmod 0700 /var/lib/sbx
ln -sfn /dev/null "/etc/systemd/system/user@$UID_OF_A.service"
rm -f /etc/cron.allow /etc/at.allow
echo $A | tee /etc/cron.deny >/etc/at.deny

# PAM: the services that policy lets in, and `other`, each whole in its own file.
mkdir $W/pam.d && mount --bind $W/pam.d /etc/pam.d
stack() { # SERVICE…
    local service
    for service; do
        cat >"/etc/pam.d/$service" <<END
auth required pam_unix.so
auth optional pam_sbx.so
account required pam_unix.so
account [success=ok ignore=ignore module_unknown=ignore default=bad] pam_sbx.so
session required pam_limits.so
session required pam_sbx.so
END
    done
}
stack sshd su su-l sudo cron other

mkdir -p $W/ssh/sshd_config.d && mount --bind $W/ssh /etc/ssh
ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ssh_host_ed25519_key
printf 'Include /etc/ssh/sshd_config.d/*.conf\nUsePAM yes\nX11Forwarding yes\n' >/etc/ssh/sshd_config
sed "s/^Match Group agents/Match User $A/" etc/sshd-sbx.conf >/etc/ssh/sshd_config.d/50-sbx.conf
mkdir -p /run/sshd

setting() { # FILE VALUE: in the place of a setting of the kernel's, as far as doctor can see
    [ -e "$1" ] || return 0
    echo "$2" >"$W/setting"
    cp "$W/setting" "$W/${1##*/}"
    mountpoint -q "$1" || mount --bind "$W/${1##*/}" "$1"
}
setting /proc/sys/fs/suid_dumpable 0
setting /proc/sys/kernel/core_pattern core
setting /proc/sys/dev/tty/legacy_tiocsti 0

doctor() { sbxctl doctor "$@" >$W/said 2>&1; }
doctor
status=$?
[ $status -eq 0 ] || {
    grep -qE '^(warning|unavailable) +kernel ' $W/said && {
        echo "skipped: this machine cannot be without findings: $(grep -E '^(warning|unavailable) +kernel ' $W/said | head -n 1)"
        exit 77
    }
    fail "findings before anything is planted ($status): $(grep -A2 -vE '^ok ' $W/said)"
}
cp $W/said $W/all # all that doctor ever said

# The one finding that --json tells of and whose `what` is TEXT; prints level, area and do, one a line.
in_json() { # TEXT
    sbxctl doctor --json 2>/dev/null | python3 -c 'import json, sys
found = [one for one in json.load(sys.stdin) if one["what"] == sys.argv[1]]
assert len(found) == 1, (len(found), sys.argv[1])
assert found[0]["why"] and found[0]["do"], found
print(found[0]["level"], found[0]["area"], found[0]["do"], sep="\n")' "$1"
}

# found STATUS LEVEL AREA WHAT DO: exactly this is said, in both forms.
found() {
    local level area remedy
    doctor
    [ $? -eq "$1" ] || fail "$4: exit status is not $1: $(grep -vE '^ok ' $W/said)"
    cat $W/said >>$W/all
    grep -qxF "$(printf '%-11s %-8s %s' "$2" "$3" "$4")" $W/said || fail "not found: $4: $(grep -vE '^ok ' $W/said)"
    { read -r level && read -r area && read -r remedy; } < <(in_json "$4")
    [ "$level $area" = "$2 $3" ] || fail "$4, in JSON: ${level:-} ${area:-}"
    [ "$remedy" = "$5" ] || fail "$4: what to do is '$remedy', not '$5'"
}

lone() { # no other finding than the one
    [ "$(grep -cE '^(warning|unavailable) ' $W/said)" -eq 1 ] || fail "$1: not alone: $(grep -vE '^ok ' $W/said)"
}

gone() { # WHAT
    doctor || fail "$1: still there after it was mended: $(grep -vE '^ok ' $W/said)"
}

# mends WHAT…: as found, alone; then what doctor says to do is done, word for word, and the finding is gone.
mends() { # STATUS LEVEL AREA WHAT DO
    found "$@"
    lone "$4"
    bash -c "${5%, then reload sshd}" >$W/mending 2>&1 || fail "$4: cannot be done: $5: $(cat $W/mending)"
    gone "$4"
}

# --- accounts -----------------------------------------------------------------------------------------
groups=$(sed -n '/^} dangerous_groups/,/^};/s/^ *{"\([^"]*\)", .*/\1/p' sbxctl/doctor_accounts.c)
[ "$(wc -w <<<"$groups")" -ge 25 ] || fail "the list of groups is not where it was"
for group in $groups; do
    groupadd -f "$group"
    gpasswd -a $A "$group" >/dev/null
    mends 1 warning accounts "$A is in group $group" "gpasswd -d $A $group"
done
usermod -g docker $A
mends 1 warning accounts "$A is in group docker" "groupadd -f $A && usermod -g $A $A"

sockets=$(sed -n '/dangerous_sockets\[\]/,/};/s/"\([^"]*\)",*/\1\n/gp' sbxctl/doctor_accounts.c | grep -o '/[^ ]*')
[ "$(wc -w <<<"$sockets")" -ge 9 ] || fail "the list of sockets is not where it was"
groupadd sbxt-sockets
for socket in $sockets; do
    mkdir -p "${socket%/*}"
    : >"$socket"
    chmod 0666 "$socket"
    mends 1 warning accounts "$A may write to $socket" "chmod o-w $socket"
    chgrp sbxt-sockets "$socket"
    gpasswd -a $A sbxt-sockets >/dev/null
    mends 1 warning accounts "$A may write to $socket" "chgrp root $socket"
    chown $A "$socket"
    mends 1 warning accounts "$A may write to $socket" "chown root $socket"
    rm "$socket"
done
gpasswd -d $A sbxt-sockets >/dev/null

usermod -s /bin/bash $A
mends 1 warning accounts "$A has the shell /bin/bash" "usermod -s /usr/bin/sbxsh $A"
usermod -s '' $A
mends 1 warning accounts "$A has the shell /bin/sh" "usermod -s /usr/bin/sbxsh $A"

jobs() { # NAME PROGRAM
    [ -x "$2" ] || { printf '#!/bin/sh\n' >"$2" && chmod 0755 "$2"; }
    echo root >"/etc/$1.deny"
    mends 1 warning accounts "$A may give jobs to $1" "echo $A >>/etc/$1.deny"
    echo root >"/etc/$1.allow"
    echo root >"/etc/$1.deny"
    gone "$1.allow without it"
    rm "/etc/$1.allow"
    echo $A >"/etc/$1.deny"
}
jobs cron /usr/bin/crontab
jobs at /usr/bin/at

# No systemd runs here: its commands are only compared.
unit=/etc/systemd/system/user@$UID_OF_A.service
rm "$unit"
found 1 warning accounts "$A: user@$UID_OF_A.service is not masked" "systemctl mask user@$UID_OF_A.service"
ln -s /etc/passwd "$unit"
found 1 warning accounts "$A: user@$UID_OF_A.service is not masked" "systemctl mask user@$UID_OF_A.service"
ln -sfn /dev/null "$unit"
gone "the mask"
mkdir -p /var/lib/systemd/linger
touch /var/lib/systemd/linger/$A
found 1 warning accounts "$A lingers" "loginctl disable-linger $A"
lone "$A lingers"
rm /var/lib/systemd/linger/$A
gone "lingering"

mv /home/$A /home/$A.away
mends 1 warning accounts "$A: home /home/$A is not there" "install -d -m 0700 -o $A -g $(id -g $A) /home/$A"
rmdir /home/$A
ln -s $A.away /home/$A
found 1 warning accounts "$A: home /home/$A is no directory" "usermod -d DIR $A, DIR being a directory of its own"
rm /home/$A
mv /home/$A.away /home/$A
gone "the home"
chown -R sbx-clerk /home/$A
clerk=$(id -u sbx-clerk)
mends 1 warning accounts "$A: home /home/$A is owned by uid $clerk" "chown -R --from=$clerk $A /home/$A"

policy=/etc/sbx/policy.ini
cp $policy $W/policy.ini
elsewhere='; fine where policy serves several machines'
echo 'user = sbxt-nobody' >>$policy
found 1 warning accounts 'no account sbxt-nobody' \
    "useradd -m -s /usr/bin/sbxsh sbxt-nobody, or take the name out of $policy:5$elsewhere"
lone 'no account'
cp $W/policy.ini $policy
echo 'group = sbxt-nobody' >>$policy
found 1 warning accounts 'no group sbxt-nobody' "groupadd sbxt-nobody, or take the name out of $policy:5$elsewhere"
lone 'no group'
cp $W/policy.ini $policy
echo 'user = root' >>$policy
found 1 warning accounts 'root is root' "take it out of $policy:5"
cp $W/policy.ini $policy
gone "root"

# Where policy itself leaves the jail out.
sed -i '2a mode = disabled' $policy
found 1 warning accounts "$A logs in without a jail: the sandbox is switched off for it; sandbox.mode = disabled ($policy:3)" \
    "change that line, unless it is meant"
cp $W/policy.ini $policy

# Through a group of its.
printf '[sandbox]\nenabled = yes\n[accounts]\ngroup = %s\n' $A >$policy
usermod -s /bin/bash $A
mends 1 warning accounts "$A has the shell /bin/bash" "usermod -s /usr/bin/sbxsh $A"
cp $W/policy.ini $policy

# --- one account -----------------------------------------------------------------------------------------
# Somebody whom policy does not name: nothing of it is a fault, whatever it is and has.
make_account sbxt-free /bin/bash
gpasswd -a sbxt-free docker >/dev/null
gone "an account that is not confined, among all"
chmod 0755 /var/lib/sbx # a fault of the machine, which is none of such an account's
doctor --account sbxt-free || fail "an account that is not confined has findings"
[ "$(cat $W/said)" = 'ok          accounts sbxt-free is not confined: policy names neither it nor a group of its' ] ||
    fail "an account that is not confined: $(cat $W/said)"
cat $W/said >>$W/all
sbxctl doctor --account sbxt-free --json | python3 -c 'import json, sys
assert json.load(sys.stdin) == [{"level": "ok", "area": "accounts",
    "what": "sbxt-free is not confined: policy names neither it nor a group of its"}]' || fail "the same in JSON"
doctor --account $A
[ $? -eq 1 ] || fail "a confined account is not told of the machine's fault"
grep -q '^warning  *files .*/var/lib/sbx' $W/said || fail "which one: $(cat $W/said)"
chmod 0700 /var/lib/sbx
echo 'user = sbxt-free' >>$policy
doctor && fail "policy names it now"
grep -q '^warning  *accounts sbxt-free is in group docker' $W/said || fail "its group"
doctor --account $A || fail "the fault of another: $(grep -vE '^ok ' $W/said)"
doctor --account sbxt-free && fail "its own fault"
grep -q '^ok  *accounts '$A $W/said && fail "another account is told of"
cp $W/policy.ini $policy
sed -i 's/enabled = yes/enabled = no/' $policy
doctor --account $A || fail "nobody is confined while policy is off"
grep -qx "ok          accounts $A is not confined: policy is switched off" $W/said || fail "off: $(cat $W/said)"
cat $W/said >>$W/all
cp $W/policy.ini $policy
doctor --account ../x && fail "no name of an account"
doctor $A && fail "an operand"
cat $W/said >>$W/all

# --- policy ----------------------------------------------------------------------------------------------
sed -i 's/enabled = yes/enabled = no/' $policy
mends 1 warning policy 'policy is valid, and switched off' "sed -i '2s/=.*/= yes/' $policy"
sed -i /enabled/d $policy
mends 1 warning policy 'policy is valid, and switched off' \
    "printf '[sandbox]\\nenabled = yes\\n' >/etc/sbx/policy.d/00-enabled.ini"
rm /etc/sbx/policy.d/00-enabled.ini
cp $W/policy.ini $policy
echo 'usr = x' >>$policy
found 2 unavailable policy "$policy:5:1: no key 'usr' in [accounts] (did you mean user?)" \
    'sbxctl policy check, which tells of every error'
doctor --account sbxt-free
[ $? -eq 2 ] || fail "nobody can tell whether it is confined"
cp $W/policy.ini $policy
echo '[limit]' >/etc/sbx/account.d/x.ini
found 1 warning policy "/etc/sbx/account.d/x.ini:1:2: no section [limit] (did you mean [limits]?)" \
    'mend it there, then sbxctl policy check'
lone "the file of an account"
rm /etc/sbx/account.d/x.ini
touch /etc/sbx/policy.d/site.conf
found 1 warning policy "/etc/sbx/policy.d/site.conf: is not read, since its name does not end in .ini: rename it to \
NAME.ini, or take it away" 'change or move the file'
rm /etc/sbx/policy.d/site.conf
gone "policy"
# Below a root of its own: the paths in what is said are those.
mkdir -p $W/root/etc/sbx $W/root/run $W/root/var/lib $W/root/var/log
echo '[limit]' >$W/root/etc/sbx/policy.ini
sbxctl doctor --root $W/root >$W/said
cat $W/said >>$W/all
grep -qF "do:  sbxctl policy check --root $W/root, which" $W/said || fail "--root: $(cat $W/said)"

# --- files -----------------------------------------------------------------------------------------------
libexec=/usr/libexec/sbx
for program in sbx-warden sbx-clerk sbx-init; do
    mv $libexec/$program $W/
    found 2 unavailable files "$libexec/$program is not there" \
        'install sbx again: apt-get install --reinstall sbx, dnf reinstall sbx, or make install'
    mv $W/$program $libexec/
done
loose="is not root's, or others may write it"
chmod 0775 $libexec/sbx-clerk
mends 1 warning files "$libexec/sbx-clerk: $libexec/sbx-clerk $loose" \
    "chown root $libexec/sbx-clerk && chmod go-w $libexec/sbx-clerk"
chown $A $libexec/sbx-init
mends 1 warning files "$libexec/sbx-init: $libexec/sbx-init $loose" \
    "chown root $libexec/sbx-init && chmod go-w $libexec/sbx-init"
chmod 0777 $libexec
found 1 warning files "$libexec/sbx-warden: $libexec $loose" "chown root $libexec && chmod go-w $libexec"
chmod 0755 $libexec
for mode in 0755 4711; do
    chmod $mode /usr/bin/sbxsh
    mends 1 warning files "/usr/bin/sbxsh has mode $mode, not 0711" 'chmod 0711 /usr/bin/sbxsh'
done
module=$(make -s print-pamdir)/pam_sbx.so
mv "$module" $W/
found 1 warning files 'pam_sbx.so is not installed' 'install sbx as a whole, then wire PAM (docs/operating.md)'
mv $W/pam_sbx.so "$module"
state() { # DIR MODE-AT-MOST BAD-MODE
    chmod "$3" "$1"
    found 1 warning files "$1: owner 0, mode $3; root and $2 at most are right" "chown root $1 && chmod $2 $1"
    bash -c "chown root $1 && chmod $2 $1"
    chown $A "$1"
    found "${4:-1}" warning files "$1: owner $UID_OF_A, mode $2; root and $2 at most are right" "chown root $1 && chmod $2 $1"
    bash -c "chown root $1 && chmod $2 $1"
    gone "$1"
}
state /run/sbx 0755 0777
state /run/sbx/jails 0755 0775
state /var/lib/sbx 0700 0750
state /var/log/sbx 0750 0755
# Where policy lies it is more than a warning: it is not trusted.
chmod 0777 /etc/sbx
found 2 warning files '/etc/sbx: owner 0, mode 0777; root and 0755 at most are right' \
    'chown root /etc/sbx && chmod 0755 /etc/sbx'
grep -q '^unavailable policy   /etc/sbx: mode 0777 lets others write' $W/said || fail "an untrusted policy"
chmod 0755 /etc/sbx
gone "/etc/sbx"
mv /var/lib/sbx $W/lib
ln -s $W/lib /var/lib/sbx
found 1 warning files '/var/lib/sbx: owner 0, mode 0777; root and 0700 at most are right' \
    'chown root /var/lib/sbx && chmod 0700 /var/lib/sbx'
rm /var/lib/sbx
mv $W/lib /var/lib/sbx
for user in sbx-clerk sbx-init; do
    number=$(id -u $user)
    userdel $user 2>/dev/null
    found 1 warning files "no user $user" 'systemd-sysusers sbx.conf, or install the package'
    lone "no user $user"
    useradd -r -M -u "$number" -s /usr/sbin/nologin $user
done
groupdel sbx-operators
found 1 warning files 'no group sbx-operators' 'systemd-sysusers sbx.conf, or install the package'
lone 'no group'
if command -v systemd-sysusers >/dev/null; then systemd-sysusers sbx.conf || fail "systemd-sysusers"; fi
groupadd -f sbx-operators
gone "the users"

# --- PAM ----------------------------------------------------------------------------------------------------
modules=$(sed -n '/^} late_modules/,/^};/s/^ *{"\([^"]*\)", .*/\1/p' sbxctl/doctor_pam.c)
[ "$(wc -w <<<"$modules")" -ge 9 ] || fail "the list of modules is not where it was"
for late in $modules; do
    for service in su cron; do
        echo "session optional $late" >>/etc/pam.d/$service
        found 1 warning pam "service $service: $late comes after pam_sbx.so" \
            "move line 7 of /etc/pam.d/$service before line 6 of /etc/pam.d/$service"
        lone "$late"
        stack $service
    done
    echo "session optional $late" >>/etc/pam.d/sshd # whose child enters later
    gone "$late after ours in sshd"
    stack sshd
done
printf 'session include late\n' >>/etc/pam.d/su
printf '# what all share\n\nsession required pam_limits.so\n' >/etc/pam.d/common-late
sed -i 's/include late/include common-late/' /etc/pam.d/su
found 1 warning pam 'service su: pam_limits.so comes after pam_sbx.so' \
    'move line 3 of /etc/pam.d/common-late before line 6 of /etc/pam.d/su'
stack su
rm /etc/pam.d/common-late

sed -i '/^auth.*sbx/d' /etc/pam.d/sshd
mends 1 warning pam 'service sshd: pam_sbx.so has no auth line' "echo 'auth optional pam_sbx.so' >>/etc/pam.d/sshd"
stack sshd
sed -i '/^account.*sbx/d' /etc/pam.d/sudo
mends 1 warning pam 'service sudo: pam_sbx.so has no account line' \
    "echo 'account [success=ok ignore=ignore module_unknown=ignore default=bad] pam_sbx.so' >>/etc/pam.d/sudo"
stack sudo
sed -i '5a session required pam_env.so envfile=/etc/environment user_readenv=1' /etc/pam.d/su
mends 1 warning pam "service su: pam_env.so reads the account's file" "sed -i '6s/ *user_readenv=1//' /etc/pam.d/su"
stack su
printf 'session \\\n required \\\n pam_permit.so\nsession required pam_env.so user_readenv=1\n' >$W/more
cat /etc/pam.d/su >>$W/more
cp $W/more /etc/pam.d/su
mends 1 warning pam "service su: pam_env.so reads the account's file" "sed -i '4s/ *user_readenv=1//' /etc/pam.d/su"
stack su

echo '@include common-none' >>/etc/pam.d/cron
cut='see that what /etc/pam.d/cron includes is there, and does not include itself'
found 1 warning pam 'service cron: its stack cannot be read as a whole' "$cut"
stack cron
echo '@include cron' >>/etc/pam.d/cron
found 1 warning pam 'service cron: its stack cannot be read as a whole' "$cut"
stack cron
sed -i '/^session.*sbx/d' /etc/pam.d/su /etc/pam.d/cron
found 1 warning pam 'services not wired: cron su' \
    'wire them as docs/operating.md says (on Debian: pam-auth-update --package)'
lone 'not wired'
stack su cron
sed 1d /etc/pam.d/su >$W/login
sed '/^session.*sbx/d' $W/login >/etc/pam.d/login
found 1 warning pam 'other services not wired: login' \
    'wire them too: then they refuse confined accounts; or see that none of them takes such an account'
printf 'service = login\n' >>$policy
found 1 warning pam 'services not wired: login' \
    'wire them as docs/operating.md says (on Debian: pam-auth-update --package)'
cp $W/policy.ini $policy
rm /etc/pam.d/login
mkdir $W/none
umount /etc/pam.d
mv /etc/pam.d /etc/pam.away
found 1 warning pam 'no /etc/pam.d' 'install PAM and wire it; `sbxctl run` works without'
mv /etc/pam.away /etc/pam.d
mount --bind $W/pam.d /etc/pam.d
gone "PAM"

# --- sshd ----------------------------------------------------------------------------------------------------
sshd_says() { # KEYWORD VALUE NAME GOOD: in the drop-in, before its own line
    sed -i "/^Match/a \    $3 $2" /etc/ssh/sshd_config.d/50-sbx.conf
    sed -i "/^Match/!{/^ *$3 $4/d}" /etc/ssh/sshd_config.d/50-sbx.conf
    echo "Include /etc/ssh/sshd_config.d/*.conf" >/etc/ssh/sshd_config
    echo "UsePAM yes" >>/etc/ssh/sshd_config
    local file=/etc/ssh/sshd_config.d/sbx.conf
    found 1 warning sshd "$1 is $2 for $A" \
        "printf 'Match User $A\\n    $3 $4\\n' >>$file, then reload sshd"
    lone "$1"
    # Read before the other, as it would be where nothing but it is there.
    printf 'Match User %s\n    %s %s\n' $A "$3" "$4" >/etc/ssh/sshd_config.d/00-sbx.conf
    gone "$1"
    rm /etc/ssh/sshd_config.d/00-sbx.conf
    sed "s/^Match Group agents/Match User $A/" etc/sshd-sbx.conf >/etc/ssh/sshd_config.d/50-sbx.conf
}
sshd_says permituserrc yes PermitUserRC no
sshd_says allowagentforwarding yes AllowAgentForwarding no
sshd_says x11forwarding yes X11Forwarding no
sshd_says allowtcpforwarding yes AllowTcpForwarding local
sshd_says allowtcpforwarding remote AllowTcpForwarding local
sshd_says allowstreamlocalforwarding yes AllowStreamLocalForwarding no
sshd_says permittunnel yes PermitTunnel no
sshd_says gatewayports yes GatewayPorts no
sshd_says chrootdirectory /srv ChrootDirectory none
sed -i 's/^UsePAM yes/UsePAM no/' /etc/ssh/sshd_config
mends 1 warning sshd "usepam is no for $A" "sed -i '1i UsePAM yes' /etc/ssh/sshd_config, then reload sshd"
echo 'PermitUserEnvironment yes' >>/etc/ssh/sshd_config
mends 1 warning sshd "permituserenvironment is yes for $A" \
    "sed -i '1i PermitUserEnvironment no' /etc/ssh/sshd_config, then reload sshd"
echo 'Nonsense yes' >>/etc/ssh/sshd_config
found 1 warning sshd "/usr/sbin/sshd -T fails for $A" '/usr/sbin/sshd -T, and mend what it complains of'
sed -i /Nonsense/d /etc/ssh/sshd_config
gone "sshd"
# Nobody is confined yet: what holds without a Match block.
sed -i "/user = $A/d" $policy
found 1 warning sshd 'permituserrc is yes for accounts without a Match block' \
    "printf 'Match User ACCOUNT\\n    PermitUserRC no\\n' >>/etc/ssh/sshd_config.d/sbx.conf, then reload sshd"
cp $W/policy.ini $policy
gone "the Match block"

# --- kernel ----------------------------------------------------------------------------------------------------
planted_setting() { # FILE BAD GOOD WHAT DO
    [ -e "$1" ] || return 0
    setting "$1" "$2"
    found 1 warning kernel "$4" "$5"
    lone "$4"
    setting "$1" "$3"
    gone "$4"
}
planted_setting /proc/sys/fs/suid_dumpable 1 0 'fs.suid_dumpable = 1' 'sysctl fs.suid_dumpable=0 (or 2)'
planted_setting /proc/sys/kernel/core_pattern '|/bin/core %p' core 'kernel.core_pattern starts a program' \
    'sysctl kernel.core_pattern=core, or see that the program takes no core of a confined uid'
[ -e /proc/sys/dev/tty/legacy_tiocsti ] ||
    printf 'warning     kernel   dev.tty.legacy_tiocsti = 1\n' >>$W/all # this kernel has no such setting
planted_setting /proc/sys/dev/tty/legacy_tiocsti 1 0 'dev.tty.legacy_tiocsti = 1' 'sysctl dev.tty.legacy_tiocsti=0'

masked() { # CALL FEATURE LEVEL STATUS
    strace -f -qq -o /dev/null -e "trace=$1" -e "inject=$1:error=ENOSYS" sbxctl doctor >$W/said 2>&1
    [ $? -eq "$4" ] || fail "without $1: exit status is not $4: $(cat $W/said)"
    grep -q "^$3 *kernel  *$2 is missing" $W/said || fail "without $1: $(cat $W/said)"
    cat $W/said >>$W/all
}
masked open_tree open_tree unavailable 2
masked mount_setattr mount_setattr unavailable 2
masked pidfd_open pidfd unavailable 2
masked close_range close_range unavailable 2
masked seccomp seccomp unavailable 2
masked landlock_create_ruleset landlock unavailable 2
masked setns setns-pidfd unavailable 2
masked socket proc-connector warning 1
mkdir $W/chroot
unshare --mount --propagation private bash -c \
    'mount --rbind / '$W/chroot' && exec chroot '$W/chroot' sbxctl doctor' >$W/said
[ $? -eq 2 ] || fail "in a chroot"
grep -qx 'unavailable kernel   own-root is missing' $W/said || fail "in a chroot: $(cat $W/said)"
cat $W/said >>$W/all
setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin sbxctl doctor >$W/said
[ $? -eq 2 ] || fail "in a container without CAP_SYS_ADMIN"
for trial in new-namespaces new-mounts; do
    grep -qx "unavailable kernel   $trial is missing" $W/said || fail "without CAP_SYS_ADMIN: $(cat $W/said)"
done
cat $W/said >>$W/all
unshare --mount --propagation private bash -c 'for dir in /sys/fs/cgroup /sys/fs/cgroup/*/; do
        ! mountpoint -q "$dir" || mount -o remount,bind,ro "$dir" || exit 99
    done
    exec sbxctl doctor' >$W/said
[ $? -eq 2 ] || fail "with control groups that are read-only: $(cat $W/said)"
grep -qx 'unavailable kernel   control-groups is missing' $W/said || fail "read-only control groups: $(cat $W/said)"
cat $W/said >>$W/all

# --- whoever is not root -------------------------------------------------------------------------------------------
setpriv --reuid "$UID_OF_A" --regid "$UID_OF_A" --clear-groups sbxctl doctor >$W/said 2>&1
[ $? -eq 1 ] || fail "as another than root: $(cat $W/said)"
grep -q '^warning  *doctor   not run as root: incomplete' $W/said || fail "as another than root: $(cat $W/said)"
cat $W/said >>$W/all
chmod 0700 /run/sbx
setpriv --reuid "$UID_OF_A" --regid "$UID_OF_A" --clear-groups sbxctl doctor >$W/said 2>&1
chmod 0755 /run/sbx
grep -q '^warning  *files    /run/sbx/jails cannot be looked at' $W/said || fail "a closed folder: $(cat $W/said)"
cat $W/said >>$W/all

# --- nothing was forgotten -------------------------------------------------------------------------------------------
missing=$(python3 tests/policy/messages.py --exceptions tests/system/doctor-exceptions.tsv \
    sbxctl/doctor_*.c sbxctl/verb_doctor.c <$W/all)
[ -z "$missing" ] || fail "what doctor can say and was not made to say here: $missing"
echo "findings: $(grep -cE '^(warning|unavailable) ' $W/all)"
