# sbxctl run that is interrupted while its jail is being made: the jail ends by itself, however long
# policy lets jails linger, and nothing is left, no lock either.
. tests/system/lib.sh

sed -i 's/^linger = .*/linger = 10m/' "$ROOT/etc/sbx/policy.ini"
for after in 0.01 0.02 0.03 0.05 0.08 0.12; do
    for signal in INT KILL; do
        timeout -s $signal $after "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- sleep 5 >/dev/null 2>&1
    done
done
wait_until 60 no_leftovers || fail "left: $(leftovers)"
