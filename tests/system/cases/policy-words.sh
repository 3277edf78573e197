# sbxctl policy lint, test, diff and fingerprint: no account, no jail and no privilege.
. tests/system/lib.sh
p=$W/out/policy.ini
policy() { "$B/sbxctl" policy "$@" --account agent --home /home/agent 2>/dev/null; }
write() { printf '[sandbox]\nenabled = yes\n[filesystem]\nworkspace = ~/work\n' >"$p" && printf '%s\n' "$@" >>"$p"; }

# --- lint: each finding, and that it is gone without its cause
write
same "nothing to find" 'policy lint: 0 findings' "$(policy lint "$p")"
same "its status" 0 "$(status_of policy lint "$p")"
lint_finds() { # PATTERN LINE…: the last line is the cause
    local pattern=$1
    shift
    write "$@"
    holds "lint: ${*: -1}" "$pattern" "$(policy lint "$p")"
    same "lint: ${*: -1}: status" 1 "$(status_of policy lint "$p")"
    write "${@:1:$#-1}"
    lacks "lint, without it: ${*: -1}" "$pattern" "$(policy lint "$p")"
}
at=$p:6:[0-9]+:
lint_finds "$at sandbox.fail_if_unavailable = no" '[sandbox]' 'fail_if_unavailable = no'
lint_finds "$at sandbox.mode = disabled" '[sandbox]' 'mode = disabled'
lint_finds "$at sandbox.weaker_nested = yes" '[sandbox]' 'weaker_nested = yes'
lint_finds "$at network.mode = host" '[network]' 'mode = host'
lint_finds "$at network.allow_all_unix_sockets" '[network]' 'allow_all_unix_sockets = yes'
lint_finds "$at network.managed_domains_only" '[network]' 'managed_domains_only = yes'
lint_finds "$at the socket /run/docker.sock" '[network]' 'allow_unix_socket = /run/docker.sock'
lint_finds "$at the domain \* *: everything" '[network]' 'allow_domain = *'
lint_finds "$at the domain \*.ngrok.io" '[network]' 'allow_domain = *.ngrok.io'
lint_finds "$at classifier.priv-esc = allow" '[classifier]' 'priv-esc = allow'
lint_finds "$at /etc is writable" '[filesystem]' 'allow_write = /etc'
lint_finds "$at /home/agent is writable" '[filesystem]' 'allow_write = ~/'
lint_finds "$at /usr/local/bin is writable: it is on PATH" '[filesystem]' 'allow_write = /usr/local/bin'
lint_finds "$p:8:15: /home/agent/tools is writable: it is on PATH" \
    '[environment]' 'path = ~/tools:/usr/bin' '[filesystem]' 'allow_write = ~/tools'
lint_finds "$at Bash\(python3:\*\) allows any code" '[permissions]' 'allow = Bash(python3:*)'
lint_finds "$at Bash\(env:\*\) allows any program" '[permissions]' 'allow = Bash(env:*)'
lint_finds "$at Bash allows whatever" '[permissions]' 'allow = Bash'
lint_finds "$at Bash\(a [|] b\): words" '[permissions]' 'deny = Bash(a | b)'
lint_finds "$p:6:9: Bash\(git push:\*\) never decides: what it names is denied by Bash\(git:\*\) \($p:7\)" \
    '[permissions]' 'allow = Bash(git push:*)' 'deny = Bash(git:*)'
lint_finds "$p:7:9: Bash\(npm run test\) adds nothing to Bash\(npm run:\*\) \($p:6\)" \
    '[permissions]' 'allow = Bash(npm run:*)' 'allow = Bash(npm run test)'
lint_finds "$p:7:9: Bash\(npm  *test\) says the same as Bash\(npm test\) \($p:6\)" \
    '[permissions]' 'allow = Bash(npm test)' 'allow = Bash(npm  test)'
write '[network]' 'mode = host'
same "lint --json" 'network.mode = host' "$(policy lint "$p" --json | python3 -c '
import json, sys
[one] = json.load(sys.stdin)
assert one["file"].endswith("policy.ini") and one["line"] == 6 and one["column"] == 8
print(one["message"].split(":")[0])')"

# --- test
write '[test]' 'allow = ls -la' 'deny = rm -rf ~' 'ask = ls'
said=$(policy test "$p")
holds "the case that fails" "$p:8:7: expected ask, got allow" "$said"
holds "the count" '^policy test: 2 passed, 1 failed$' "$said"
same "test: status" 1 "$(status_of policy test "$p")"
write '[test]' 'allow = ls -la'
printf '[test]\ndeny = rm -rf /\nallow = rm -rf /\n' >"$W/out/cases"
said=$(policy test "$p" --cases "$W/out/cases")
holds "a file of cases" "$W/out/cases:3:9: expected allow, got deny" "$said"
holds "both counted" '^policy test: 2 passed, 1 failed$' "$said"
same "test --json" '2 1 rm -rf /' "$(policy test "$p" --cases "$W/out/cases" --json | python3 -c '
import json, sys
said = json.load(sys.stdin)
print(said["passed"], said["failed"], said["failures"][0]["command"])')"
printf '[test]\nforbid = x\n' >"$W/out/cases"
same "a wrong word among the cases" 2 "$(status_of policy test "$p" --cases "$W/out/cases")"
write '[test]' 'allow = ls -la' 'deny = rm -rf ~'
same "all as expected" 0 "$(status_of policy test "$p")"

# --- diff and fingerprint
write '[permissions]' 'deny = Bash(a)' 'deny = Bash(b)' '[limits]' 'tasks_max = 100'
cp "$p" "$W/out/other.ini"
same "no difference" 0 "$(status_of policy diff "$p" "$W/out/other.ini")"
one=$(policy fingerprint "$p")
same "the same fingerprint" "$one" "$(policy fingerprint "$W/out/other.ini")"
sed -i 's/tasks_max = 100/tasks_max = 200/; /Bash(b)/d; 1i # a line more' "$W/out/other.ini"
said=$(policy diff "$p" "$W/out/other.ini")
holds "a value taken out" "^- permissions.deny = Bash\(b\) *$p:7$" "$said"
holds "a value changed, before" "^- limits.tasks_max = 100 *$p:9$" "$said"
holds "and after" "^[+] limits.tasks_max = 200 *$W/out/other.ini:9$" "$said"
same "nothing else" 3 "$(wc -l <<<"$said")"
same "diff: status" 1 "$(status_of policy diff "$p" "$W/out/other.ini")"
[ "$one" != "$(policy fingerprint "$W/out/other.ini")" ] || fail "another policy with the same fingerprint"
same "diff of one file" 2 "$(status_of policy diff "$p")"
same "diff with a file that is not there" 2 "$(status_of policy diff "$p" "$W/out/none.ini")"
