# Single files that the view protects by a mount, replaced by the host while the jail lives: the
# account's passwd stays the jail's own, a read-only file stays read-only.
. tests/system/lib.sh

world_policy 'deny_write = ~/work/config.yml'
install -o "$BOT" -g "$BOT" -m 0644 /dev/null "$BOT_HOME/work/config.yml"
# In a script: the judge would refuse the last command by its path, the kernel is what is tested.
cat >"$BOT_HOME/work/try.sh" <<END
echo ready
until [ -e ~/work/go ]; do sleep 0.1; done
grep -c . /etc/passwd
grep -c "^$HUMAN:" /etc/passwd
echo evil >~/work/config.yml
END
bot 'bash try.sh' >"$W/out/seen" 2>"$W/out/refused" &
session=$!
wait_until 20 grep -q ready "$W/out/seen" || fail "no session"

# As useradd and editors do: a new file is renamed over the old one.
cp -a /etc/passwd "/etc/passwd.$BOT" && mv "/etc/passwd.$BOT" /etc/passwd
echo new >"$BOT_HOME/work/.config.new"
chown "$BOT:" "$BOT_HOME/work/.config.new"
mv "$BOT_HOME/work/.config.new" "$BOT_HOME/work/config.yml"
sleep 0.5
touch "$BOT_HOME/work/go"
wait "$session"
same "another account in the jail's passwd" 0 "$(sed -n 3p "$W/out/seen")"
same "the file" new "$(cat "$BOT_HOME/work/config.yml")"
holds "refused" 'Read-only file system' "$(cat "$W/out/refused")"
grep -q "^$HUMAN:" /etc/passwd || fail "the twin: the host's file names the other account"
