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

# Bytes that are no UTF-8 do not spoil JSON.
for verb in check explain; do
    "$B/sbxctl" $verb --json --account a -c $'rm -rf /x\xff/*' | is_json || fail "$verb: no JSON"
done
mkdir -p "$W/out/p/policy.d"
printf '[bad]\n' >"$W/out/p/policy.d/"$'x\xff.ini'
"$B/sbxctl" policy check --json "$W/out/p" | is_json || fail "policy check: no JSON"

same "a deny that could not be written" 11 "$(status_of bash -c '"$0" check --account a -c "rm -rf /" >/dev/full' "$B/sbxctl")"
holds "and is told" 'cannot write' "$(cat "$W/out/last")"
