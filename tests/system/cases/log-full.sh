# With a full disk under /var/log/sbx no login is let in unrecorded; with room again all is as before.
. tests/system/lib.sh

log=$ROOT/var/log/sbx
mkdir -p "$log"
same "before" in "$(bot 'echo in')"
jails_kill || fail "the jail does not end"
mv "$log" "$log.away"
mkdir -m 0750 "$log"
mount -t tmpfs -o size=64k,mode=0750 none "$log" || skip "cannot mount a tmpfs"
back() {
    jails_kill
    umount "$log"
    rmdir "$log"
    mv "$log.away" "$log"
}
trap back EXIT
dd if=/dev/zero of="$log/filler" bs=1k count=200 2>/dev/null

out=$(bot 'echo in' 2>&1) && fail "the login went through: $out"
lacks "the session" '^in$' "$out"
no_jail() { ! leftovers | grep -v "^mount $log$" | grep -q .; }
wait_until 5 no_jail || fail "left: $(leftovers)"
rm "$log/filler"
same "with room again" in "$(bot 'echo in')"
jails_kill || fail "the jail does not end"
"$B/sbxctl" events verify --root "$ROOT" >"$W/out/verify" 2>&1 ||
    fail "the chain is broken: $(cat "$W/out/verify")"
