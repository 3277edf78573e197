# The files of a user and of a workspace: they take away, they give only where the account cannot have
# written them, and what is wrong with one refuses the account's login.
# limit: 240
. tests/system/lib.sh

user=$BOT_HOME/.config/sbx project=$BOT_HOME/work/.sbx
trap 'rm -rf "$user" "$project" "$BOT_HOME/open" "$W/accepted"; chown "$BOT:" "$BOT_HOME" "$BOT_HOME/work"; rm -f "$ROOT/var/lib/sbx/trusted"' EXIT
mkdir -p "$user" "$project" "$BOT_HOME/open"
echo note >"$BOT_HOME/open/note"
echo mine >"$BOT_HOME/work/mine"
write() { # FILE LINES…: as the account's own
    printf '%s\n' "${@:2}" >"$1"
    chown -R "$BOT:" "$BOT_HOME/.config" "$project" "$BOT_HOME/open" "$BOT_HOME/work"
}
policy() { "$B/sbxctl" policy "$1" --root "$ROOT" --account "$BOT" "${@:2}"; }
world_policy

# --- a denied home, the project opened: by the project's file it is, by the user's it is not ---------
write "$project/policy.ini" '[filesystem]' 'deny_read = ~/' 'allow_read = .'
same "the project is open" mine "$(bot 'cat mine')"
same "and writable" 0 "$(status_of bot 'echo x >made && rm made')"
same "the home is closed" 126 "$(status_of bot 'cat ~/open/note')"
same "to the kernel as well" 1 "$(status_of client sftp -b <(echo "get $BOT_HOME/open/note $W/out/got") bot)"
rm "$project/policy.ini"
write "$user/policy.ini" '[filesystem]' 'deny_read = ~/' 'allow_read = .'
same "by the user's file the project is closed" 126 "$(status_of bot "cat $BOT_HOME/work/mine")"
rm "$user/policy.ini"
same "without files all is as before" note "$(bot 'cat ~/open/note')"

# --- tighten: what narrows counts, the rest is told ---------------------------------------------------
write "$project/policy.ini" '[permissions]' 'deny = Bash(make:*)' 'allow = Bash(curl:*)' \
    '[filesystem]' "allow_write = $BOT_HOME/open"
write "$project/policy.local.ini" '[limits]' 'open_files = 77' '[jail]' 'grace = 1d'
same "a rule against a command" 126 "$(status_of bot 'make -v')"
holds "is told with its place" "$project/policy.ini:2" "$(events)"
same "a lower limit" 77 "$(bot 'ulimit -n')"
[ "$(status_of bot 'touch ~/open/x')" -ne 0 ] || fail "a file of the account's opened a path for writing"
[ ! -e "$BOT_HOME/open/x" ] || fail "the file is there"
shown=$(policy show --origin)
holds "the rule counts, with its scope" "permissions.deny = Bash\(make:\*\) +project +$project/policy.ini:2" "$shown"
for line in "permissions.allow = Bash\(curl:\*\)  project  $project/policy.ini:3: .*tighten" \
    "filesystem.allow_write = .*/open  project  .*tighten" "jail.grace = 1d  local  .*tighten"; do
    holds "what does not count is told, and why" "$line" "$shown"
done
holds "in JSON too" '"ignored":\[\{"section":"permissions"' "$(policy show --json)"

# What the view does not hold, such a file cannot bring into it.
hidden=$W/out/hidden
mkdir -p "$hidden" && echo secret >"$hidden/note" && chmod -R a+rX "$hidden"
write "$project/policy.local.ini" '[filesystem]' "deny_read = $W" "allow_read = $hidden" '[permissions]' "allow = Read(/$hidden)"
[ "$(status_of bot "cat $hidden/note")" -ne 0 ] || fail "a file of the account's shows what the view leaves out"
holds "and that is told" "filesystem.allow_read = $hidden  local  .*tighten" "$(policy show)"
rm -r "$hidden"
write "$project/policy.local.ini" '[limits]' 'open_files = 77'

# A rule that goes stops at once: the live jail takes it up.
pid=$(bot 'readlink /proc/self/ns/pid')
write "$project/policy.ini" '[permissions]' 'deny = Bash(true)'
same "today's rule" 126 "$(status_of bot true)"
same "yesterday's is gone" 0 "$(status_of bot 'command -v make')"
same "in the same jail" "$pid" "$(bot 'readlink /proc/self/ns/pid')"

# --- inside, the files cannot be changed ---------------------------------------------------------------
for path in "$project/policy.ini" "$project/new" "$user/policy.ini"; do
    [ "$(status_of bot "echo x >$path")" -ne 0 ] || fail "$path can be written in the jail"
    [ "$(status_of client sftp -b <(echo "put /etc/hostname $path") bot)" -ne 0 ] || fail "by sftp: $path"
done
[ "$(status_of client sftp -b <(echo "rename $project $BOT_HOME/work/moved") bot)" -ne 0 ] || fail "$project can be moved"

# --- extend: only where the account cannot have written the file ---------------------------------------
write "$project/policy.ini" '[filesystem]' "allow_write = $BOT_HOME/open"
world_policy '[scopes]' 'project = extend'
[ "$(status_of bot 'touch ~/open/x')" -ne 0 ] || fail "the account extended its own rights"
holds "and that is told" 'can change this file' "$(policy show)"
"$B/sbxctl" policy trust --root "$ROOT" "$project/policy.ini" >"$W/out/trust" || fail "trust: $(cat "$W/out/trust")"
same "an accepted file extends" 0 "$(status_of bot 'touch ~/open/x')"
holds "it is listed" "$project/policy.ini" "$("$B/sbxctl" policy trust --root "$ROOT")"
write "$project/policy.ini" '[filesystem]' "allow_write = $BOT_HOME/open" '# changed'
[ "$(status_of bot 'touch ~/open/y')" -ne 0 ] || fail "a changed file is still accepted"
write "$project/policy.ini" '[filesystem]' "allow_write = $BOT_HOME/open"
same "as it was accepted it counts" 0 "$(status_of bot 'touch ~/open/y')"
"$B/sbxctl" policy trust --root "$ROOT" --remove "$project/policy.ini" >/dev/null
[ "$(status_of bot 'touch ~/open/z')" -ne 0 ] || fail "what is no longer accepted extends"

# Only what a login looks for can be accepted, and no list is lost that cannot be read.
cp "$project/policy.ini" "$W/out/policy.ini"
same "a file elsewhere" 2 "$(status_of "$B/sbxctl" policy trust --root "$ROOT" "$W/out/policy.ini")"
truncate -s 2M "$ROOT/var/lib/sbx/trusted"
[ "$(status_of "$B/sbxctl" policy trust --root "$ROOT" "$project/policy.ini")" -ne 0 ] || fail "a list was written anew that could not be read"
same "and the list stays" 2097152 "$(stat -c %s "$ROOT/var/lib/sbx/trusted")"
rm "$ROOT/var/lib/sbx/trusted"

# --- what is wrong refuses the login, with its place in the log ----------------------------------------
world_policy
refused() { # WHAT PATTERN
    [ "$(status_of bot 'echo ran')" -ge 254 ] || fail "$1: the login was not refused"
    ! grep -qx ran "$W/out/last" || fail "$1: a command ran"
    holds "$1, in the log" "$2" "$(events | tail -n 1; events host | tail -n 1)"
    same "others log in" hello "$(human 'echo hello')"
}
write "$project/policy.ini" '[filesystem]' 'deny_reed = x'
refused "an unknown key" "$project/policy.ini:2:[0-9]+: .*deny_read"
write "$project/policy.ini" '[accounts]' 'user = x'
refused "a key of managed files" 'counts in the files below /etc/sbx alone'
# Under a rule for everything, which masks nothing, what others close counted as closed already.
write "$project/policy.ini" '[filesystem]' 'deny_read = /'
refused "everything closed" "$project/policy.ini:2:13: / cannot be closed to readers as a whole"
rm "$project/policy.ini"
ln -s /etc/hostname "$project/policy.ini"
refused "a link" "a symbolic link below $BOT_HOME/work leads there"
rm "$project/policy.ini"
mv "$project" "$BOT_HOME/work/elsewhere"
write "$BOT_HOME/work/elsewhere/policy.ini" '[permissions]' 'deny = Bash(true)'
ln -s elsewhere "$project"
refused "a folder that is a link, to where a jail can write" "a symbolic link below $BOT_HOME/work leads there"
rm "$project"
mv "$BOT_HOME/work/elsewhere" "$project"
rm "$project/policy.ini"
rm -r "$user"
mv "$BOT_HOME/.config" "$W/out/config"
ln -s "$W/out/config" "$BOT_HOME/.config"
same "a linked folder without such a file is none of ours" 0 "$(status_of bot true)"
rm "$BOT_HOME/.config"
mv "$W/out/config" "$BOT_HOME/.config"
rm "$project/policy.ini"
mkfifo "$project/policy.ini"
refused "a FIFO" 'no regular file'
rm "$project/policy.ini"
write "$project/policy.ini" '[permissions]' 'deny = Bash(true)'
chmod 0 "$project"
refused "a closed directory" 'cannot be read as the account'
chmod 0755 "$project"
world_policy '[scopes]' 'project = ignore' 'local = ignore'
same "ignored" 0 "$(status_of bot true)"
