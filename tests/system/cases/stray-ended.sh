# A process of the account outside its jail is ended, and told. The net under everything else.
. tests/system/lib.sh

bot true || fail "cannot log in"
(cd / && exec setpriv --reuid "$BOT_UID" --regid "$BOT_UID" --clear-groups sleep 300) &
stray=$!
gone() { ! kill -0 "$stray" 2>/dev/null; }
wait_until 10 gone || fail "the stray lives"
holds "an event" '"action": *"stray"' "$(events)"
