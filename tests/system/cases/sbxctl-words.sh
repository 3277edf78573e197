# sbxctl with odd words and odd bytes: what is wrong is said, nothing is taken silently or lost.
. tests/system/lib.sh
is_json() { python3 -c 'import json, sys; json.loads(sys.stdin.buffer.read().decode())'; }

refused() { # PATTERN WORD…
    local pattern=$1
    shift
    same "$*" 2 "$(status_of "$B/sbxctl" "$@")"
    holds "$*" "$pattern" "$(cat "$W/out/last")"
    lacks "$*: bytes for the terminal" $'\e' "$(cat "$W/out/last")"
}
refused 'no verb' $'a\e[31m'
refused 'stands twice' check -c ls -c pwd
refused "no account's name" check --account '' -c ls
refused "no account's name" check --account -x -c ls
refused "no account's name" policy show --account ../x
refused "no account's name" run --account ../x true
refused 'one word too many' check -c ls x
refused 'not a directory' status --root /etc/passwd
refused 'empty name' check --policy '' -c ls
for verb in status jails 'policy check' 'policy show' 'check -c ls' 'explain -c ls'; do
    # shellcheck disable=SC2086 # words
    refused "^sbxctl: --root '/nonexistent': No such file" $verb --root /nonexistent
done
refused "no verb 'nonsense'" help nonsense
for words in 'check --help' 'policy check --help' 'events verify --help' 'help enroll'; do
    # shellcheck disable=SC2086 # words
    holds "$words" '^usage: sbxctl .*--root DIR' "$("$B/sbxctl" $words)"
done

# Bytes that are no UTF-8 do not spoil JSON.
for verb in check explain; do
    "$B/sbxctl" $verb --json --account a -c $'rm -rf /x\xff/*' | is_json || fail "$verb: no JSON"
done
mkdir -p "$W/out/p/policy.d"
printf '[bad]\n' >"$W/out/p/policy.d/"$'x\xff.ini'
"$B/sbxctl" policy check --json "$W/out/p" | is_json || fail "policy check: no JSON"

same "a deny that could not be written" 11 "$(status_of bash -c '"$0" check --account a -c "rm -rf /" >/dev/full' "$B/sbxctl")"
holds "and is told" 'cannot write' "$(cat "$W/out/last")"

# What makes a session useless shows in the check, and where.
policy_says() { # STATUS PATTERN LINE
    printf '[filesystem]\n%s\n' "$3" >"$W/out/check.ini"
    same "$3" "$1" "$(status_of "$B/sbxctl" policy check "$W/out/check.ini")"
    holds "$3" "$2" "$(cat "$W/out/last")"
}
policy_says 2 'check.ini:2:15: error: filesystem.allow_write: what is writable, or the workspace, cannot be /' 'allow_write = /'
policy_says 2 'check.ini:2:13: error: filesystem.workspace: what is writable, or the workspace, cannot be /' 'workspace = /'
policy_says 2 'check.ini:2:[0-9]+: error: / cannot be closed to readers' 'deny_read = /'
for line in 'deny_read = /home' 'deny_read = ~' 'deny_write = ~/work'; do
    policy_says 0 'check.ini:2:[0-9]+: warning: the workspace, .*, is not writable' "$line"
done
policy_says 0 'warning: the workspace, .*, is not writable' 'workspace = ~/.ssh'
policy_says 0 '^1 policy file, no error$' 'allow_write = ~/x'
policy_says 0 'check.ini:4:9: warning: \[command git\] changes nothing' $'allow_write = ~/x\n[command git]\nreads = 1'
policy_says 0 '^1 policy file, no error$' $'allow_write = ~/x\n[command our-git]\nreads = 1'

# A state directory that others may write: which one, why, and what to do.
"$B/sbxctl" run --root "$ROOT" --account "$BOT" -- true || fail "no jail" # which makes the directories
mode=$(stat -c %a "$ROOT/var/log/sbx")
chmod 0777 "$ROOT/var/log/sbx"
same "a log directory for all" 254 "$(status_of "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- true)"
holds "a log directory for all" "$ROOT/var/log/sbx: mode 0777 lets others write \(chmod go-w\)" "$(cat "$W/out/last")"
chmod "$mode" "$ROOT/var/log/sbx"
