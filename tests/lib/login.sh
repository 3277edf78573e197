# A throw-away account and a private sshd on a loopback port, for the demonstration, tests and
# measurements. Source it; needs root and what was built.
#
#   login_begin NAME     state directory $login_root, PAM service $login_service, account $login_user
#   login_policy TEXT    one more policy file, from standard input
#   login_sshd           starts sshd on 127.0.0.1:$login_port
#   login_ssh ACCOUNT …  ssh to it; words of ssh may come first
#   login_end            takes all of it away again; call it from a trap
#
# Nothing of the machine's own sshd, PAM files and accounts is touched: there is one more file in
# /etc/pam.d while it lasts, and one more account.
# shellcheck shell=bash
login_programs=$PWD/build
login_undo=() # commands, run in reverse order

login_begin() { # NAME
    local name=$1
    login_service=sbxt-$name-$$
    login_user=sbxt-$name-$$
    # Below /run every parent is root's, as policy files must have it; and the jail does not show it.
    login_root=$(mktemp -d "/run/$login_service.XXXXXX") || return 1
    login_undo+=("rm -rf --one-file-system '$login_root'")
    chmod 755 "$login_root"
    mkdir -p "$login_root/etc/sbx/policy.d"
    cp etc/policy.ini "$login_root/etc/sbx/policy.ini"
    ssh-keygen -q -t ed25519 -N '' -f "$login_root/key" || return 1
    ssh-keygen -q -t ed25519 -N '' -f "$login_root/host_key" || return 1

    cat >"/etc/pam.d/$login_service" <<END
auth     required  pam_permit.so
auth     optional  $login_programs/pam_sbx.so root=$login_root service=$login_service
account  required  pam_unix.so
account  required  $login_programs/pam_sbx.so root=$login_root service=$login_service
session  required  pam_permit.so
session  required  $login_programs/pam_sbx.so root=$login_root service=$login_service
END
    login_undo+=("rm -f '/etc/pam.d/$login_service'")
    login_account "$login_user" "$login_programs/sbxsh" || return 1
    login_policy 00-login <<END
[sandbox]
enabled = yes
[accounts]
user = $login_user
[jail]
linger = 5s
END
}

login_account() { # NAME SHELL
    local home=/home/$1
    useradd -M -d "$home" -s "$2" "$1" 2>/dev/null || return 1
    login_undo+=("login_account_end '$1'")
    install -d -m 755 -o "$1" -g "$1" "$home" "$home/work"
    install -d -m 700 -o "$1" -g "$1" "$home/.ssh"
    install -m 600 -o "$1" -g "$1" "$login_root/key.pub" "$home/.ssh/authorized_keys"
}

login_account_end() { # NAME
    local uid i
    uid=$(id -u "$1" 2>/dev/null) || return 0
    login_sbxctl kill "$uid" >/dev/null 2>&1
    # By pid, and only of this account, which was made for the purpose.
    for ((i = 0; i < 20; i++)); do
        pgrep -U "$uid" >/dev/null || break
        [ $i -lt 5 ] || pgrep -U "$uid" | xargs -r kill -KILL 2>/dev/null
        sleep 0.1
    done
    userdel "$1" 2>/dev/null
    rm -rf --one-file-system "/home/${1:?}" "/var/mail/${1:?}"
}

login_policy() { # NAME, text on standard input
    cat >"$login_root/etc/sbx/policy.d/$1.ini"
}

login_sbxctl() { "$login_programs/sbxctl" "$1" --root "$login_root" "${@:2}"; }

login_sshd() {
    local sshd link i
    sshd=$(command -v sshd || echo /usr/sbin/sshd)
    if [ ! -d /run/sshd ]; then
        install -d -m 755 /run/sshd
        login_undo+=("rmdir /run/sshd 2>/dev/null")
    fi
    # Up to 9.7 sshd takes the name of its PAM service from its own; later there is an option.
    mkdir -p "$login_root/bin"
    link=$login_root/bin/$login_service
    ln -sf "$sshd" "$link"
    login_port=$((20000 + $$ % 20000))
    while ss -Hltn "sport = :$login_port" | grep -q .; do login_port=$((login_port + 1)); done
    cat >"$login_root/sshd_config" <<END
ListenAddress 127.0.0.1:$login_port
HostKey $login_root/host_key
PidFile $login_root/sshd.pid
UsePAM yes
PasswordAuthentication no
KbdInteractiveAuthentication no
AuthorizedKeysFile .ssh/authorized_keys
StrictModes no
PrintMotd no
UseDNS no
LogLevel VERBOSE
MaxStartups 1000
Subsystem sftp /usr/lib/openssh/sftp-server
END
    if "$sshd" -t -f "$login_root/sshd_config" -o "PAMServiceName=$login_service" 2>/dev/null; then
        echo "PAMServiceName $login_service" >>"$login_root/sshd_config"
        echo 'PerSourcePenalties no' >>"$login_root/sshd_config"
    fi
    "$link" -f "$login_root/sshd_config" -E "$login_root/sshd.log" || return 1
    login_undo+=("login_sshd_end")
    cat >"$login_root/ssh_config" <<END
Host sbx
    HostName 127.0.0.1
    Port $login_port
    IdentityFile $login_root/key
    IdentitiesOnly yes
    UserKnownHostsFile $login_root/known_hosts
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking accept-new
    BatchMode yes
    LogLevel ERROR
END
    for ((i = 0; i < 50; i++)); do
        [ ! -s "$login_root/sshd.pid" ] || return 0
        sleep 0.1
    done
    return 1
}

login_sshd_end() {
    local pid
    pid=$(cat "$login_root/sshd.pid" 2>/dev/null) || return 0
    # The number counts only while it is this sshd.
    ! grep -qa "$login_root" "/proc/$pid/cmdline" 2>/dev/null || kill "$pid"
}

login_ssh() { # ACCOUNT [WORD…]
    local account=$1
    shift
    ssh -F "$login_root/ssh_config" -l "$account" sbx "$@"
}

login_end() {
    local i
    for ((i = ${#login_undo[@]} - 1; i >= 0; i--)); do eval "${login_undo[i]}"; done
    login_undo=()
}
