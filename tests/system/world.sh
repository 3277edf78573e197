# A world of its own for the system tests: a state root, two accounts, a private sshd. Nothing of the
# machine's own sshd, PAM stacks or accounts is changed, and everything made here is gone afterwards,
# whatever happens: world_end runs from a trap.
#
#   $W        the world's directory; its state root is $W/root (etc/sbx, run/sbx, var/log/sbx …)
#   $BOT      a confined account, shell sbxsh; $BOT_UID, $BOT_HOME
#   $HUMAN    an account that is not confined, shell bash; $HUMAN_UID, $HUMAN_HOME
#   $SERVICE  the PAM service of the private sshd, $PORT its port on 127.0.0.1
#   $MODULE   the PAM module, $ROOT the state root
# shellcheck shell=bash

world_fail() {
    echo "world: $*" >&2
    exit 1
}

# A number that no account, PAM file or program of this machine uses yet.
world_pick_number() {
    local n
    for n in $(seq $((1000 + $$ % 8000)) 9999); do
        getent passwd "sbxt-$n" "sbxt-${n}h" >/dev/null && continue
        [ -e "/etc/pam.d/sbx-test-sshd-$n" ] || { echo "$n"; return; }
    done
    return 1
}

world_pick_port() {
    python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

world_add_account() { # NAME SHELL
    useradd --create-home --home-dir "/home/$1" --shell "$2" --user-group "$1" 2>/dev/null ||
        world_fail "cannot add account $1"
    usermod -p '*' "$1" # no password, yet not locked: keys work
    install -d -m 0700 -o "$1" -g "$1" "/home/$1/work" "/home/$1/.ssh" "/home/$1/.cache" \
        "/home/$1/.ansible" "/home/$1/.ansible/tmp"
    cp "$W/client/key.pub" "$W/keys/$1"
}

# The plain policy of the tests; a case may write another and world_policy puts this one back.
world_policy() { # [EXTRA LINES]
    cat >"$ROOT/etc/sbx/policy.ini.new" <<END
[sandbox]
enabled = yes
[accounts]
user = $BOT
[jail]
linger = 30s
[network]
mode = none
[filesystem]
workspace = ~/work
allow_write = ~/.cache
allow_write = ~/.ansible/tmp
END
    [ $# -eq 0 ] || printf '%s\n' "$@" >>"$ROOT/etc/sbx/policy.ini.new"
    mv "$ROOT/etc/sbx/policy.ini.new" "$ROOT/etc/sbx/policy.ini"
}

# Debian's sshd stack with our lines where pam-auth-update puts them. The last line runs a program
# as root at the end of the session stack, as a login alert would: it must see the host.
world_pam() { # SERVICE-FILE MODULE-ARGUMENTS…
    local file=$1
    shift
    cat >"$file" <<END
auth       optional     $MODULE $*
@include common-auth
account    required     pam_nologin.so
account    required     $MODULE $*
@include common-account
session    required     pam_loginuid.so
session    optional     pam_keyinit.so force revoke
@include common-session
session    required     $MODULE $*
session    optional     pam_motd.so motd=/run/motd.dynamic
session    optional     pam_motd.so noupdate
session    required     pam_limits.so
session    required     pam_env.so
session    required     pam_env.so user_readenv=1 envfile=/etc/default/locale
session    optional     pam_exec.so quiet $W/bin/alert
END
}

world_sshd_config() {
    cat >"$W/sshd/config" <<END
Port $PORT
ListenAddress 127.0.0.1
HostKey $W/sshd/host_key
PidFile $W/sshd/pid
AuthorizedKeysFile $W/keys/%u
StrictModes no
UsePAM yes
PasswordAuthentication no
KbdInteractiveAuthentication no
UseDNS no
AcceptEnv LANG LC_* SBXT_*
AllowTcpForwarding yes
AllowStreamLocalForwarding yes
AllowAgentForwarding yes
PermitUserRC yes
MaxSessions 30
MaxStartups 100:30:200
Subsystem sftp $SFTP_SERVER
Subsystem sftp-internal internal-sftp
LogLevel VERBOSE
END
    # Before 9.8 the service is the program's own name, from then on an option.
    if /usr/sbin/sshd -T -o PAMServiceName=x -h "$W/sshd/host_key" -f /dev/null >/dev/null 2>&1; then
        echo "PAMServiceName $SERVICE" >>"$W/sshd/config"
    fi
}

world_sshd_start() {
    [ -d /run/sshd ] || { mkdir -m 0755 /run/sshd && touch "$W/made-run-sshd"; }
    ln -sfn /usr/sbin/sshd "$W/bin/$SERVICE"
    "$W/bin/$SERVICE" -D -f "$W/sshd/config" -E "$W/sshd/log" </dev/null >>"$W/sshd/out" 2>&1 &
    SSHD_PID=$!
    local try
    for try in $(seq 100); do
        if (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; then return; fi
        kill -0 "$SSHD_PID" 2>/dev/null || break
        sleep 0.05
    done
    cat "$W/sshd/out" "$W/sshd/log" >&2
    world_fail "sshd does not listen (try $try)"
}

world_client() {
    cat >"$W/client/config" <<END
Host *
    HostName 127.0.0.1
    Port $PORT
    IdentityFile $W/client/key
    IdentitiesOnly yes
    IdentityAgent none
    UserKnownHostsFile $W/client/known
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
    BatchMode yes
    ConnectTimeout 20
    LogLevel ERROR
    ControlPath none
Host bot
    User $BOT
Host human
    User $HUMAN
END
    echo "[127.0.0.1]:$PORT $(cut -d' ' -f1,2 "$W/sshd/host_key.pub")" >"$W/client/known"
}

world_begin() {
    [ "$(id -u)" -eq 0 ] || world_fail "run as root"
    local n here=$PWD
    B=$here/build
    MODULE=$B/pam_sbx.so
    for n in pam_sbx.so sbxsh sbxctl sbx-warden sbx-clerk sbx-init sbx-line; do
        [ -e "$B/$n" ] || world_fail "build/$n is missing: make all"
    done
    umask 022
    n=$(world_pick_number) || world_fail "no free account name"
    BOT=sbxt-$n HUMAN=sbxt-${n}h SERVICE=sbx-test-sshd-$n
    W=$(mktemp -d "/tmp/sbxt-$n.XXXXXX") || exit 1
    chmod 0755 "$W"
    ROOT=$W/root
    trap world_end EXIT
    trap 'exit 130' INT TERM HUP
    for SFTP_SERVER in /usr/lib/openssh/sftp-server /usr/libexec/openssh/sftp-server; do
        [ ! -x "$SFTP_SERVER" ] || break
    done
    mkdir -p "$W"/{bin,sshd,client,keys,pam,out} "$ROOT"/etc/sbx "$ROOT"/{run,var/lib,var/log}
    ssh-keygen -q -t ed25519 -N '' -C sbx-test -f "$W/client/key"
    ssh-keygen -q -t ed25519 -N '' -C sbx-test -f "$W/sshd/host_key"
    # Renamed into place: who reads it meanwhile sees the last one whole.
    printf '#!/bin/sh\n{ id -u; readlink /proc/self/ns/mnt; } >%s.$$ && mv %s.$$ %s\n' \
        "$W/out/alert" "$W/out/alert" "$W/out/alert" >"$W/bin/alert"
    chmod 0755 "$W/bin/alert"
    world_add_account "$BOT" "$B/sbxsh"
    world_add_account "$HUMAN" /bin/bash
    BOT_UID=$(id -u "$BOT") BOT_HOME=/home/$BOT
    HUMAN_UID=$(id -u "$HUMAN") HUMAN_HOME=/home/$HUMAN
    world_policy
    PORT=$(world_pick_port)
    world_pam "/etc/pam.d/$SERVICE" "root=$ROOT" "service=$SERVICE"
    world_sshd_config
    world_client
    world_sshd_start
    export B MODULE BOT HUMAN SERVICE W ROOT SFTP_SERVER BOT_UID BOT_HOME HUMAN_UID HUMAN_HOME \
        PORT SSHD_PID
}

# Ends the jails by name, then whatever of the account still runs, each by its pid.
world_end() {
    local status=$? pid uid
    trap '' INT TERM HUP
    trap - EXIT
    set +e
    if [ -n "${BOT_UID:-}" ]; then
        [ ! -d "$ROOT/run/sbx/jails" ] || jails_kill
    fi
    [ -z "${SSHD_PID:-}" ] || kill "$SSHD_PID" 2>/dev/null
    for uid in "${BOT_UID:-}" "${HUMAN_UID:-}"; do
        [ -n "$uid" ] || continue
        for pid in $(pgrep -U "$uid"); do kill -KILL "$pid" 2>/dev/null; done
    done
    for pid in $(pids_of_world); do kill -KILL "$pid" 2>/dev/null; done
    sleep 0.2
    [ -z "${SERVICE:-}" ] || rm -f "/etc/pam.d/$SERVICE"
    for uid in "${BOT:-}" "${HUMAN:-}"; do
        [ -z "$uid" ] || userdel -r "$uid" 2>/dev/null
    done
    # Not from under another sshd that was started meanwhile.
    if [ -e "$W/made-run-sshd" ] &&
        [ -z "$(find /proc/[0-9]*/exe -lname '*/sshd*' 2>/dev/null)" ]; then
        rmdir /run/sshd 2>/dev/null
    fi
    if [ -n "${KEEP:-}" ]; then echo "world: kept $W" >&2; else rm -rf --one-file-system "$W"; fi
    exit "$status"
}
