# A home that is missing, a link, somebody else's or a file: the login is refused, the reason is in the
# log, and the home is as it was.
. tests/system/lib.sh

refused() { # WHAT PATTERN
    local out status
    out=$(bot 'echo in' 2>&1)
    status=$?
    [ "$status" -ne 0 ] || fail "$1: the login went through"
    lacks "$1: output" '^in$' "$out"
    holds "$1: the reason is recorded" "$2" "$(events host)"
    wait_until 5 no_leftovers || fail "$1 left: $(leftovers)"
}

back() {
    [ ! -L "$BOT_HOME" ] || rm "$BOT_HOME"
    [ ! -f "$BOT_HOME" ] || rm "$BOT_HOME"
    [ ! -d "$BOT_HOME.away" ] || mv "$BOT_HOME.away" "$BOT_HOME"
    chown "$BOT_UID" "$BOT_HOME"
}
trap back EXIT

mv "$BOT_HOME" "$BOT_HOME.away"
refused "a missing home" "$BOT_HOME does not exist"

ln -s "$BOT_HOME.away" "$BOT_HOME"
chown -h "$BOT_UID" "$BOT_HOME"
refused "a home that is the account's link" "symbolic link that is not root's"

rm "$BOT_HOME"
echo file >"$BOT_HOME"
refused "a home that is a file" "not a directory"
back

chown 65534 "$BOT_HOME"
refused "somebody else's home" "belongs to uid 65534"
same "the owner is left alone" 65534 "$(stat -c %u "$BOT_HOME")"
back

# The twin: root's own link in root's own directory is an administrator's layout.
mv "$BOT_HOME" "$BOT_HOME.away"
ln -s "$BOT_HOME.away" "$BOT_HOME"
same "a home behind root's link" in "$(bot 'echo in')"
