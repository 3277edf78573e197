# A PAM stack that lacks one of our lines lets nobody in unconfined: not by a shell, not by sftp inside
# sshd, not by forwarding. Others do not notice.
. tests/system/lib.sh

file=/etc/pam.d/$SERVICE
restore() { world_pam "$file" "root=$ROOT" "service=$SERVICE"; }
trap restore EXIT

nothing_runs() { ! pgrep -U "$BOT_UID" >/dev/null; }

lacking() { # KIND: auth or session
    local output
    restore
    sed -i "/^$1 .*pam_sbx/d" "$file"
    output=$(bot 'echo ran' 2>&1) && fail "no $1 line: a command succeeded"
    lacks "no $1 line: a command" '^ran' "$output"
    output=$(echo 'ls /etc' | client sftp -b - -s sftp-internal bot 2>&1) && fail "no $1 line: sftp succeeded"
    lacks "no $1 line: sftp" 'passwd' "$output"
    output=$(client ssh -W "127.0.0.1:$PORT" bot </dev/null 2>&1)
    lacks "no $1 line: forwarding" 'SSH-2.0' "$output"
    holds "no $1 line: the record says so" "missing from the $1 stack" "$(events host)"
    same "no $1 line: others" hello "$(human 'echo hello')"
    wait_until 5 nothing_runs || fail "no $1 line: a process of the account runs"
}
lacking auth
lacking session
restore
same "complete again" ok "$(bot 'echo ok')"
