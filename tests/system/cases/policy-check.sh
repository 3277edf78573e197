# sbxctl policy check as a configuration manager runs it: every error of every file with its place, a status, JSON.
. tests/system/lib.sh
d=$W/out/p
mkdir -p "$d/policy.d" "$d/account.d"
check() { status_of "$B/sbxctl" policy check "$@"; } # what it says is in $W/out/last
said() { cat "$W/out/last"; }

printf '[sandbox]\nenabled = maybe\n[filesystem]\n  deny_reed = ~/x\n' >"$d/policy.ini"
printf '[sandboks]\n' >"$d/policy.d/10-a.ini"
: >"$d/policy.d/20-b.ini"
printf '[accounts]\nuser = x\n' >"$d/account.d/x.ini"
printf '[limits]\ntasks_max = 5' >"$d/account.d/y.ini"
same "all of them" 2 "$(check "$d")"
same "each with its place" "$d/policy.ini:2:11: error: sandbox.enabled: 'maybe' is neither yes nor no
$d/policy.ini:4:3: error: no key 'deny_reed' in [filesystem] (did you mean deny_read?)
$d/policy.d/10-a.ini:1:2: error: no section [sandboks] (did you mean [sandbox]?)
$d/policy.d/20-b.ini: error: is empty: is it half written? A file that shall say nothing holds a comment
$d/account.d/x.ini:2:1: error: accounts.user counts in policy.ini and policy.d/*.ini alone: move it there
$d/account.d/y.ini:2:14: error: the last line has no end: is the file half written?" "$(said)"

# The same for a program.
same "--json: its status" 2 "$(check --json "$d")"
same "--json" "False 5
error policy.ini 2 11 sandbox.enabled: 'maybe' is neither yes nor no
error policy.ini 4 3 no key 'deny_reed' in [filesystem] (did you mean deny_read?)
error 10-a.ini 1 2 no section [sandboks] (did you mean [sandbox]?)
error 20-b.ini 0 0 is empty: is it half written? A file that shall say nothing holds a comment
error x.ini 2 1 accounts.user counts in policy.ini and policy.d/*.ini alone: move it there
error y.ini 2 14 the last line has no end: is the file half written?" "$(python3 -c '
import json, os, sys
said = json.load(sys.stdin)
print(said["valid"], said["files"])
for one in said["messages"]:
    assert sorted(one) == ["column", "file", "line", "message", "severity"], one
    print(one["severity"], os.path.basename(one["file"]), one["line"], one["column"], one["message"])' <"$W/out/last")"

# What shows only when all is put together has its place too, in both forms.
f=$W/out/f.ini
printf '[permissions]\nallow = Edit(//)\n' >"$f"
same "put together" 2 "$(check "$f")"
same "its place" "$f:2:9: error: what is writable, or the workspace, cannot be /" "$(said)"
same "put together, --json" 2 "$(check --json "$f")"
same "its place in JSON" "['$f', 2, 9, 'what is writable, or the workspace, cannot be /']" "$(python3 -c '
import json, sys
[one] = json.load(sys.stdin)["messages"]
print([one[key] for key in ("file", "line", "column", "message")])' <"$W/out/last")"

# Warnings and notes leave the status alone: one policy serves machines that lack some of its accounts.
printf '[sandbox]\nenabled = yes\n[accounts]\nuser = %s\nuser = sbxt-none\ngroup = sbxt-none\n[permissions]\ndeny = Bash(a | b)\n' \
    "$BOT" >"$f"
same "with notes" 0 "$(check "$f")"
holds "an account that is not here" "^$f:5:8: note: this machine has no account sbxt-none\$" "$(said)"
holds "a group that is not here" "^$f:6:9: note: this machine has no group sbxt-none\$" "$(said)"
lacks "one that is" "no account $BOT" "$(said)"
holds "a warning" "^$f:8:8: warning: permissions.deny: words are matched" "$(said)"
holds "and the end" '^1 policy file, no error$' "$(said)"

# A file on its way: `validate` has it under another name, and says where it will lie.
printf '[accounts]\nuser = %s\n' "$BOT" >"$W/out/source"
for name in policy.ini policy.d/10-x.ini; do
    same "as $name" 0 "$(check --as "$name" "$W/out/source")"
done
for name in group.d/x.ini account.d/x.ini; do
    same "as $name" 2 "$(check --as "$name" "$W/out/source")"
    holds "as $name" '^[^ ]+/source:2:1: error: accounts.user counts in policy.ini' "$(said)"
done
for name in policy.d/x.conf account.d/../x.ini account.d/.x.ini x.ini account.d/.ini ''; do
    same "as '$name'" 2 "$(check --as "$name" "$W/out/source")"
    holds "as '$name'" 'is no file that is read' "$(said)"
done
same "--as of a directory" 2 "$(check --as policy.ini "$d")"
same "--as of nothing" 2 "$(check --as policy.ini)"
same "a file that is not there" 2 "$(check "$W/out/none")"
holds "a file that is not there" "^$W/out/none: error: no such file or directory\$" "$(said)"

# The owner of a file that is only looked at counts nothing; that of one in its place does.
chown "$BOT" "$W/out/source"
same "another's" 0 "$(check "$W/out/source")"
install -o "$BOT" -m 0644 "$W/out/source" "$ROOT/etc/sbx/account.d.ini"
mkdir -p "$ROOT/etc/sbx/policy.d"
mv "$ROOT/etc/sbx/account.d.ini" "$ROOT/etc/sbx/policy.d/sbxt.ini"
same "another's, in its place" 2 "$(check --root "$ROOT")"
holds "another's, in its place" "sbxt.ini: error: belongs to uid $BOT_UID, and must be root's \(chown root\)\$" "$(said)"
rm "$ROOT/etc/sbx/policy.d/sbxt.ini"
