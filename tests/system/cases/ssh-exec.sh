# A command over ssh runs in the jail: status, signals, binary streams and identity are bash's.
. tests/system/lib.sh

same "output" "hello world" "$(bot 'echo hello world')"
same "exit status" 7 "$(status_of bot 'exit 7')"
killed='bash -c "kill -TERM \$\$"; exit $?'
same "status of a signal" "$(status_of human "$killed")" "$(status_of bot "$killed")"
same "uid" "$BOT_UID" "$(bot 'id -u')"
same "standard error" "oops" "$(bot 'echo oops >&2' 2>&1 >/dev/null)"

head -c 10000000 /dev/urandom >"$W/out/blob"
same "10 MB, binary, in and out" "$(sha256sum <"$W/out/blob")" \
    "$(bot cat <"$W/out/blob" | sha256sum)"
broken='yes | head -n 1; echo ${PIPESTATUS[*]}'
same "a pipe closed inside" "$(human "$broken")" "$(bot "$broken")"
same "a pipe closed outside" y "$(LIMIT=20 bot yes | head -n 1)"
nobody_says_yes() { ! pgrep -U "$BOT_UID" -x yes >/dev/null; }
wait_until 10 nobody_says_yes || fail "a program went on writing to a client that is gone"

for ns in mnt pid net ipc uts cgroup; do
    inside=$(bot "readlink /proc/self/ns/$ns")
    holds "$ns namespace" "^$ns:\[" "$inside"
    [ "$inside" != "$(readlink "/proc/self/ns/$ns")" ] || fail "$ns namespace is the host's"
done
holds "no_new_privs" 'NoNewPrivs:.1' "$(bot 'cat /proc/self/status')"
holds "seccomp" 'Seccomp:.2' "$(bot 'cat /proc/self/status')"
holds "bounding set" 'CapBnd:.0000000000000000' "$(bot 'cat /proc/self/status')"
same "starts in the workspace" "$BOT_HOME/work" "$(bot pwd)"

# One jail for the account: what one command starts, the next one sees.
bot 'echo kept >/tmp/note; nohup sleep 300 >/dev/null 2>&1 &'
same "same /tmp" kept "$(bot 'cat /tmp/note')"
holds "same processes" 'sleep 300' "$(bot 'ps ax')"
[ ! -e /tmp/note ] || fail "the jail's /tmp is the host's"

[ "$(status_of bot 'touch ~/outside')" -ne 0 ] || fail "a file was made outside the workspace"
[ ! -e "$BOT_HOME/outside" ] || fail "the file is there"
