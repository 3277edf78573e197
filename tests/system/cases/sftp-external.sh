# sftp by the external server: files come and go in the workspace, nothing beyond it.
. tests/system/lib.sh

transfer() { # SUBSYSTEM
    head -c 500000 /dev/urandom >"$W/out/up"
    rm -f "$W/out/down"
    printf 'cd %s\nput %s up\nget up %s\nmkdir dir\nls\n' "$work" "$W/out/up" "$W/out/down" |
        client sftp -q -b - -s "$1" bot >"$W/out/list" || fail "sftp failed: $(cat "$W/out/list")"
    cmp "$W/out/up" "$W/out/down" || fail "another file came back"
    holds "listing" 'dir' "$(cat "$W/out/list")"
    same "owner" "$BOT" "$(stat -c %U "$BOT_HOME/work/up")"
}

must_fail() { # SUBSYSTEM COMMAND: an sftp batch line that may not work
    if echo "$2" | client sftp -q -b - -s "$1" bot >"$W/out/last" 2>&1; then
        fail "worked: $2"
    fi
}

escapes() { # SUBSYSTEM
    local before
    before=$(sha256sum <"/etc/hostname")
    must_fail "$1" "put $W/out/up $BOT_HOME/.ssh/authorized_keys"
    must_fail "$1" "put $W/out/up $BOT_HOME/.bashrc"
    must_fail "$1" "put $W/out/up /etc/hostname"
    must_fail "$1" "get /etc/shadow $W/out/shadow"
    must_fail "$1" "get $HUMAN_HOME/secret $W/out/secret"
    must_fail "$1" "ls $W"
    must_fail "$1" "chmod 4755 $work/up"
    must_fail "$1" "rename $work $BOT_HOME/moved"
    # A link is no way out either: what it points to is opened in the jail.
    ln -sfn "$HUMAN_HOME/secret" "$BOT_HOME/work/link"
    must_fail "$1" "get $work/link $W/out/secret"
    [ ! -e "$BOT_HOME/.ssh/authorized_keys" ] || fail "a key was planted"
    [ ! -s "$W/out/secret" ] && [ ! -s "$W/out/shadow" ] || fail "a secret came out"
    [ ! -u "$BOT_HOME/work/up" ] || fail "a set-uid file was made"
    same "a host file" "$before" "$(sha256sum </etc/hostname)"
}

echo secret >"$HUMAN_HOME/secret"
chmod 0644 "$HUMAN_HOME/secret"
chmod 0755 "$HUMAN_HOME"
subsystem=${1:-sftp} work=$BOT_HOME/work
transfer "$subsystem"
escapes "$subsystem"
