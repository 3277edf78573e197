# su and sudo without a jail: recorded and warned of like a login by ssh, once, by sbxsh where it is there
# and by the module where it is not.
# limit: 180
. tests/system/lib.sh
mkdir -p "$ROOT/run/sbx"
world_policy '[sandbox]' 'mode = disabled'

# Where this world's /run/sbx has its name.
# shellcheck disable=SC2016 # expanded by the inner shell
on_host=("$with_pam" bash -c 'mount -t tmpfs -o mode=0755 tmpfs /run && mkdir -m 0755 /run/sbx &&
    mount --bind "$ROOT/run/sbx" /run/sbx && exec "$@"' bash)
logins() { events host | grep -c '"action": *"unjailed"'; }
warned() { grep -c 'this session has NO JAIL' <<<"$1"; }

before=$(logins)
output=$(without_terminal "${on_host[@]}" su - "$BOT" -c 'echo "in $SBX_JAIL"; id -u')
holds "su: runs" '^in none' "$output"
holds "su: uid" "^$BOT_UID" "$output"
holds "su: warned by the shell" '^sbxsh: this session has NO JAIL: .*sandbox.mode = disabled' "$output"
same "su: once" 1 "$(warned "$output")"
same "su: recorded" $((before + 1)) "$(logins)"
same "su: judged" 126 "$(status_of without_terminal "${on_host[@]}" su - "$BOT" -c 'rm -rf ~')"

output=$(with_terminal "${on_host[@]}" su - "$BOT" -c 'tty')
holds "su from a terminal: relayed" '/dev/pts/[0-9]+' "$output"
same "su from a terminal: once" 1 "$(warned "$output")"

output=$(without_terminal "${on_host[@]}" su -s /bin/sh "$BOT" -c 'echo ran')
holds "another shell" '^ran' "$output"
holds "another shell: warned by the module" '^sbx: this session has NO JAIL' "$output"
same "another shell: once" 1 "$(warned "$output")"
lacks "another shell, with a terminal" '^ran' "$(with_terminal "${on_host[@]}" su -s /bin/sh "$BOT" -c 'echo ran')"

if command -v sudo >/dev/null; then
    before=$(logins)
    holds "sudo: runs" '^ran' "$(without_terminal "${on_host[@]}" sudo -n -u "$BOT" /bin/sh -c 'echo ran')"
    same "sudo: recorded" $((before + 1)) "$(logins)"
    holds "sudo: by whom" '"service": *"sudo"' "$(events host | tail -n 1)"
fi

# Nobody is let in whose session cannot be recorded.
rm -rf "$ROOT/var/log/sbx"
touch "$ROOT/var/log/sbx"
lacks "no record" '^in none' "$(without_terminal "${on_host[@]}" su - "$BOT" -c 'echo "in $SBX_JAIL"')"
rm -f "$ROOT/var/log/sbx"
wait_until 10 bash -c "[ -z \"\$(find '$ROOT/run/sbx/unjailed' -type f 2>/dev/null)\" ]" ||
    fail "records are left: $(find "$ROOT/run/sbx/unjailed" -type f)"
