# Ansible: ping and copy work over its multiplexed connections, and write no further than the jail.
# limit: 300
. tests/system/lib.sh
command -v ansible >/dev/null || skip "no ansible here"

export HOME=$W/out ANSIBLE_HOME=$W/out/ansible ANSIBLE_HOST_KEY_CHECKING=False ANSIBLE_NOCOLOR=1 \
    ANSIBLE_SSH_ARGS="-F $W/client/config -o ControlMaster=auto -o ControlPersist=10s -o ControlPath=$W/out/cm" \
    ANSIBLE_DEPRECATION_WARNINGS=False LC_ALL=C.UTF-8
printf 'bot ansible_python_interpreter=/usr/bin/python3\n' >"$W/out/hosts"
play() { timeout 100 ansible -i "$W/out/hosts" bot "$@" 2>&1; }

output=$(play -m ping) || fail "ping: $output"
holds "pong" '"ping": "pong"' "$output"
echo copied >"$W/out/file"
output=$(play -m copy -a "src=$W/out/file dest=$BOT_HOME/work/copied") || fail "copy: $output"
same "the copy" copied "$(cat "$BOT_HOME/work/copied")"
play -m copy -a "src=$W/out/file dest=$BOT_HOME/.bashrc" >/dev/null && fail "copy wrote a start-up file"
play -m command -a "id -u" | grep -qx "$BOT_UID" || fail "command module"
ssh -F "$W/client/config" -o "ControlPath=$W/out/cm" -O exit bot 2>/dev/null
exit 0
