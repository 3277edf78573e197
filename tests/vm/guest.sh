#!/bin/bash
# Inside a guest of tests/vm/run, as root: guest.sh DEB smoke|full
#
# What only a whole machine can show: systemd, logind and cgroup v2, sshd as shipped, the package by
# apt, PAM by pam-auth-update. The guest is thrown away afterwards.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/report.sh
deb=$PWD/$1 mode=$2
agent=sbxt-agent plain=sbxt-plain

# --- helpers --------------------------------------------------------------------------------------
ssh_as() { # ACCOUNT COMMAND…: exec over the system's own sshd
    local account=$1
    shift
    timeout 120 ssh -F /root/ssh_config -l "$account" guest "$@"
}

# Processes of the account that are in none of its jails. A stray may live until it is seen.
outside() {
    local pid
    for pid in $(pgrep -u $agent); do
        grep -q 'sbx\.slice' "/proc/$pid/cgroup" 2>/dev/null ||
            echo "$pid $({ tr '\0' ' ' <"/proc/$pid/cmdline"; } 2>/dev/null) $(cat "/proc/$pid/cgroup" 2>/dev/null)"
    done
}

none_outside() { # waits a moment for the warden to see a stray
    local i left=
    for ((i = 0; i < 50; i++)); do
        left=$(outside)
        [ -n "$left" ] || return 0
        sleep 0.2
    done
    echo "$left"
    return 1
}

make_account() { # NAME SHELL
    useradd -m -s "$2" "$1"
    install -d -m 700 -o "$1" -g "$1" "/home/$1/.ssh"
    install -m 600 -o "$1" -g "$1" /root/key.pub "/home/$1/.ssh/authorized_keys"
}

# script TEXT: a file in the workspace; what runs from it was not judged, so the jail alone answers.
script() {
    cat >/home/$agent/work/attempt.sh
    chown $agent: /home/$agent/work/attempt.sh
}

# --- before the package ---------------------------------------------------------------------------
echo "kernel $(uname -r), $(systemctl --version | head -n 1), $(ssh -V 2>&1)"
ssh-keygen -q -t ed25519 -N '' -f /root/key
cat >/root/ssh_config <<'END'
Host guest
    HostName 127.0.0.1
    IdentityFile /root/key
    IdentitiesOnly yes
    UserKnownHostsFile /root/known
    StrictHostKeyChecking accept-new
    BatchMode yes
    LogLevel ERROR
END
cat /root/key.pub >>/root/.ssh/authorized_keys
make_account $plain /bin/bash
before=$(ssh_as $plain 'cat /proc/self/cgroup; ulimit -a; id; env | cut -d= -f1 | sort' | sed 's/session-[0-9]*/session-N/')
contains 'a plain account logs in before' "uid=[0-9]+\($plain\)" "$before"

# --- install, enrol -------------------------------------------------------------------------------
check 'apt installs the package' env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install "$deb"
check 'pam-auth-update wired it' grep -q '^session.*pam_sbx' /etc/pam.d/common-session
make_account $agent /bin/bash
cat >/etc/sbx/policy.d/90-test.ini <<END
[sandbox]
enabled = yes
[jail]
linger = 60s
[limits]
tasks_max = 60
memory_max = 256M
cpu_quota = 30%
END
check 'an account is enrolled' sbxctl enroll $agent
same '… its shell is sbxsh' /usr/bin/sbxsh "$(getent passwd $agent | cut -d: -f7)"
check 'policy is valid' sbxctl policy check
doctor=$(sbxctl doctor 2>&1)
if [ $? -le 1 ]; then ok 'doctor: this machine can hold a jail'; else not_ok 'doctor: this machine can hold a jail' "$doctor"; fi

# --- login, deny, limit, event --------------------------------------------------------------------
uid=$(id -u $agent)
same 'login: a confined account runs a command' "inside $uid" \
    "$(ssh_as $agent 'echo inside $(id -u)' 2>&1)"
same '… in a pid namespace of its own' sbx-init "$(ssh_as $agent 'cat /proc/1/comm' 2>&1)"
same '… with its own exit status' 7 "$(ssh_as $agent 'exit 7' 2>/dev/null; echo $?)"
check '… under systemd, as a unit' systemctl is-active --quiet "sbx-jail@$uid"
denied=$(ssh_as $agent 'rm -rf /' 2>&1)
same 'deny: exit status 126' 126 $?
contains '… with one sentence' '^sbxsh: denied: ' "$denied"
contains '… and an event' 'rm -rf /' "$(sbxctl events 2>&1)"
refuse 'a write outside the workspace is refused' ssh_as $agent 'python3 -c "open(\"/etc/x\", \"w\")"'
check '… and inside is not' ssh_as $agent 'echo x >~/work/x && cat ~/work/x'
refuse 'the network is not there' ssh_as $agent 'python3 -c "
import socket; socket.create_connection((\"10.0.2.2\", 22), 3)"'

script <<'END'
for i in $(seq 50); do sleep 30 & done 2>/dev/null
sleep 8
END
(ssh_as $agent 'bash ~/work/attempt.sh' >/dev/null 2>&1) &
first=$!
(ssh_as $agent 'bash ~/work/attempt.sh' >/dev/null 2>&1) &
second=$!
most=0
for ((i = 0; i < 20; i++)); do
    now=$(pgrep -c -u $agent)
    [ "$now" -le "$most" ] || most=$now
    sleep 0.4
done
if [ "$most" -ge 40 ] && [ "$most" -le 60 ]; then ok "limit: tasks over two sessions (most: $most of 60)"
else not_ok 'limit: tasks over two sessions' "most at once: $most, wanted 40 to 60"; fi
check 'the jail can be ended' sbxctl kill "$uid"
for ((i = 0; i < 40; i++)); do # sshd's own of the account, outside, go when they notice
    pgrep -u $agent >/dev/null || break
    sleep 0.5
done
same '… with all its processes' '' "$(pgrep -u $agent)"
wait $first $second
check '… and the next login has a new one' ssh_as $agent true

if [ "$mode" = smoke ]; then
    check 'the account is let go' sbxctl unenroll $agent
    check 'a plain account still logs in' ssh_as $plain true
    check 'apt removes the package' env DEBIAN_FRONTEND=noninteractive apt-get -qq -y purge sbx
    check 'a plain account logs in afterwards' ssh_as $plain true
    finish guest
    exit
fi

# --- memory and CPU over two sessions -------------------------------------------------------------
script <<'END'
exec python3 -c "
import time
block = bytearray(160 << 20)
for at in range(0, len(block), 4096): block[at] = 1
time.sleep(10)
print('held')"
END
one=$(mktemp) two=$(mktemp)
ssh_as $agent 'bash ~/work/attempt.sh' >"$one" 2>&1 &
first=$!
ssh_as $agent 'bash ~/work/attempt.sh' >"$two" 2>&1 &
second=$!
wait $first $second
held=$(cat "$one" "$two" | grep -c '^held')
same 'limit: two sessions share the memory (one of two hogs is killed)' 1 "$held"
[ "$held" = 1 ] || cat "$one" "$two"
check '… and the jail lives on' ssh_as $agent true

script <<'END'
timeout 12 sh -c 'while :; do :; done'
END
ssh_as $agent 'bash ~/work/attempt.sh' &
first=$!
ssh_as $agent 'bash ~/work/attempt.sh' &
second=$!
for ((i = 0; i < 100; i++)); do
    [ "$(pgrep -u $agent -cf 'while :')" -lt 4 ] || break # each session: timeout and its sh
    sleep 0.1
done
group=/sys/fs/cgroup$(systemctl show -P ControlGroup "sbx-jail@$uid")
usage() { sed -n 's/^usage_usec //p' "$group/cpu.stat"; }
from=$(usage) began=$(date +%s%N)
sleep 2
to=$(usage) ended=$(date +%s%N)
percent=$(((to - from) * 100000 / (ended - began)))
if [ "$percent" -ge 5 ] && [ "$percent" -le 40 ]; then ok "limit: CPU over two sessions ($percent% of 30%)"
else not_ok 'limit: CPU over two sessions' "$percent%, wanted about 30%"; fi
wait $first $second

# --- ways round the jail that only a whole machine has --------------------------------------------
host_ns=$(readlink /proc/self/ns/mnt)
proof=/home/$agent/work/proof
attempt() { # NAME: runs the script on standard input as the account, then looks for what got out
    rm -f $proof
    script
    ssh_as $agent 'timeout 20 bash ~/work/attempt.sh' >/tmp/attempt.out 2>&1
    sleep 1.5
    if [ -e $proof ] && grep -qF "$host_ns" $proof; then
        not_ok "escape: $1" "ran outside:" "$(cat $proof)"
    elif ! output=$(none_outside); then
        not_ok "escape: $1" "processes outside the jail:" "$output"
    else
        ok "escape: $1"
    fi
}
prove="readlink /proc/self/ns/mnt >$proof"
attempt 'systemd-run --user' <<<"XDG_RUNTIME_DIR=/run/user/\$(id -u) systemd-run --user --wait sh -c '$prove'"
attempt 'systemd-run' <<<"systemd-run --wait --uid=\$(id -u) sh -c '$prove'"
attempt 'systemctl --user' <<END
mkdir -p ~/work/.config/systemd/user
printf '[Service]\nExecStart=/bin/sh -c "%s"\n' '$prove' >~/work/.config/systemd/user/x.service
export XDG_CONFIG_HOME=~/work/.config XDG_RUNTIME_DIR=/run/user/\$(id -u)
systemctl --user daemon-reload; systemctl --user start x.service
END
attempt 'starting an own user manager' <<END
export XDG_RUNTIME_DIR=\$(mktemp -d)
timeout 5 /lib/systemd/systemd --user &
sleep 3; systemd-run --user sh -c '$prove'
END
attempt 'linger' <<<'loginctl enable-linger; busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager SetUserLinger ubb $(id -u) true false'
same '… which is not set' '' "$(ls /var/lib/systemd/linger 2>/dev/null)"
attempt 'crontab' <<<"echo '* * * * * $prove' | crontab -"
same '… which is not written' '' "$(ls /var/spool/cron/crontabs 2>/dev/null)"
attempt 'at' <<<"echo '$prove' | at now"
attempt 'ssh to itself' <<<"ssh -o StrictHostKeyChecking=no localhost '$prove'"
attempt 'sudo and su' <<<"sudo -n sh -c '$prove'; su -c '$prove' $plain </dev/null"
attempt 'the system bus' <<<"busctl --system call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager ListUnits && readlink /proc/self/ns/mnt"
same '… does not answer' '' "$(grep -m 1 'ssh.service' /tmp/attempt.out)"

# What root arranged for the account runs inside, too.
rm -f $proof
echo "* * * * * $prove" | crontab -u $agent -
systemctl is-active --quiet cron || systemctl start cron
for ((i = 0; i < 75; i++)); do [ ! -s $proof ] || break; sleep 1; done
crontab -r -u $agent
contains 'cron: a job of the account runs' '^mnt:' "$(cat $proof 2>/dev/null)"
if grep -qF "$host_ns" $proof 2>/dev/null; then not_ok '… in the jail'; else ok '… in the jail'; fi
rm -f $proof
systemctl start atd
echo "$prove" | su -s /bin/sh -c 'at now' $agent >/dev/null 2>&1
sleep 3
if grep -qF "$host_ns" $proof 2>/dev/null; then not_ok 'at: a job does not run outside'; else ok 'at: a job does not run outside'; fi
if output=$(none_outside); then ok 'no process of the account is outside'
else not_ok 'no process of the account is outside' "$output"; fi

# A unit with User= calls PAM only where it says PAMName=: the warden ends what it finds.
ssh_as $agent 'sleep 300 >/dev/null 2>&1 &'
systemd-run --quiet --uid=$agent --unit=sbxt-stray sleep 300
if output=$(none_outside); then ok 'a stray process is ended'
else not_ok 'a stray process is ended' "$output"; fi
contains '… and told' 'stray' "$(sbxctl events 2>&1)"
systemctl reset-failed sbxt-stray.service

# --- ends -----------------------------------------------------------------------------------------
ssh_as $agent true
systemctl kill -s KILL "sbx-jail@$uid"
sleep 1.5
same 'a killed warden takes the jail with it' '' "$(pgrep -u $agent)"
same '… and its mounts' '' "$(grep -c "/run/sbx/jails/$uid" /proc/mounts | grep -v '^0$')"
check '… and the next login has a new one' ssh_as $agent true

# --- everybody else -------------------------------------------------------------------------------
after=$(ssh_as $plain 'cat /proc/self/cgroup; ulimit -a; id; env | cut -d= -f1 | sort' | sed 's/session-[0-9]*/session-N/')
same "a plain account's login is as it was" "$before" "$after"
check '… with its user manager' ssh_as $plain 'systemctl --user is-system-running --wait || systemctl --user list-units'
same '… without a filter' 0 "$(ssh_as $plain "sed -n 's/^Seccomp:[[:space:]]*//p' /proc/self/status")"
check 'root logs in' ssh_as root true
printf '[sandbox]\nenabled = yes\nnonsense\n' >/etc/sbx/policy.d/95-broken.ini
refuse 'with a broken policy a confined account does not log in' ssh_as $agent true
check '… a plain one does' ssh_as $plain true
check '… and root' ssh_as root true
rm /etc/sbx/policy.d/95-broken.ini
check 'with the policy mended it logs in again' ssh_as $agent true

# --- removal --------------------------------------------------------------------------------------
ssh_as $agent 'sleep 300 >/dev/null 2>&1 &'
check 'apt purges the package while a jail lives' env DEBIAN_FRONTEND=noninteractive apt-get -qq -y purge sbx
same '… which ends' '' "$(pgrep -u $agent)"
same '… no unit is left' '' "$(systemctl list-units --all --no-legend 'sbx*' 2>/dev/null)"
same '… no file' '' "$(ls -d /etc/sbx /run/sbx /var/lib/sbx /var/log/sbx /usr/libexec/sbx /usr/bin/sbx* 2>/dev/null)"
same '… no line in PAM' '' "$(grep -l pam_sbx /etc/pam.d/* 2>/dev/null)"
same '… no account or group' '' "$(getent passwd sbx-clerk sbx-netd sbx-init; getent group sbx-operators)"
check 'a plain account logs in' ssh_as $plain true
check 'root logs in' ssh_as root true
check 'su and sudo work' su -s /bin/sh -c 'exit 0' $plain
same 'nothing failed in the system' '' "$(systemctl --failed --no-legend | grep -v vm-net)"
finish guest
