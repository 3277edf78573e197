# A pattern that the account wears out by making files without number is not silently given up: the
# jail is refused, by name.
. tests/system/lib.sh

world_policy 'deny_read = ~/work/**/.env'
run() { "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- "$@" 2>&1; }
mkdir -p "$BOT_HOME/work/z"
echo secret >"$BOT_HOME/work/z/.env"
holds "the twin, a few files" 'Permission denied' "$(run cat z/.env)"
for i in $(seq 2100); do
    mkdir -p "$BOT_HOME/work/a$i"
    : >"$BOT_HOME/work/a$i/.env"
done
chown -R "$BOT:" "$BOT_HOME/work"
out=$(run cat z/.env)
holds "refused" 'pattern .*\.env has too much' "$out"
lacks "the secret" secret "$out"
wait_until 5 no_leftovers || fail "left: $(leftovers)"
