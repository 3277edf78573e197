# scp by the sftp protocol and by the old one: both ways, and not beyond the workspace.
. tests/system/lib.sh

work=$BOT_HOME/work
for protocol in -s -O; do
    head -c 400000 /dev/urandom >"$W/out/up"
    client scp "$protocol" -q "$W/out/up" "bot:$work/up" || fail "scp $protocol to the account"
    client scp "$protocol" -q "bot:$work/up" "$W/out/down" || fail "scp $protocol from the account"
    cmp "$W/out/up" "$W/out/down" || fail "another file came back ($protocol)"
    mkdir -p "$W/out/tree/sub"
    echo a >"$W/out/tree/sub/a"
    client scp "$protocol" -qr "$W/out/tree" "bot:$work/" || fail "scp $protocol -r"
    same "tree ($protocol)" a "$(cat "$work/tree/sub/a")"
    rm -rf "$work/tree"

    client scp "$protocol" -q "$W/out/up" "bot:$BOT_HOME/.ssh/authorized_keys" 2>/dev/null &&
        fail "scp $protocol wrote a key"
    client scp "$protocol" -q bot:/etc/shadow "$W/out/shadow" 2>/dev/null &&
        fail "scp $protocol read shadow"
    [ ! -e "$BOT_HOME/.ssh/authorized_keys" ] || fail "a key was planted"
done
# The old protocol's command line goes through a shell: what is hung on to it is judged like the rest.
client scp -O -q "bot:$work/up; touch $BOT_HOME/pwned" "$W/out/x" 2>/dev/null
[ ! -e "$BOT_HOME/pwned" ] || fail "a command hung on to scp wrote outside the workspace"
exit 0
