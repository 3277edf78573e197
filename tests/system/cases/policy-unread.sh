# A policy file that nobody reads, or that says what its place cannot: the tools tell, before anybody
# believes in it.
. tests/system/lib.sh
policy=$ROOT/etc/sbx
install -d "$policy/policy.d" "$policy/account.d" "$policy/group.d"
lacks "before" 'not read' "$("$B/sbxctl" policy check --root "$ROOT" 2>&1)"

for file in policy.d/sbxt-site.conf policy.d/sbxt-x.ini~ group.d/sbxt-x.ini.rpmsave account.d/sbxt-a; do
    echo '[limits]' >"$policy/$file"
done
echo '[limits]' >"$policy/policy.d/.sbxt-hidden"
trap 'rm -f "$policy"/{policy.d,account.d,group.d}/{.,}sbxt-*' EXIT
for verb in 'policy check' "policy show --account $BOT" doctor; do
    # shellcheck disable=SC2086 # words
    said=$("$B/sbxctl" $verb --root "$ROOT" 2>&1)
    for file in policy.d/sbxt-site.conf policy.d/sbxt-x.ini~ group.d/sbxt-x.ini.rpmsave account.d/sbxt-a; do
        same "$verb: $file, once" 1 "$(grep -cE "$policy/$file: (warning: )?is not read" <<<"$said")"
    done
    lacks "$verb: what is hidden" sbxt-hidden "$said"
done
same "no error for all that" 0 "$(status_of "$B/sbxctl" policy check --root "$ROOT")"
same "and a login as ever" inside "$(bot echo inside)"

printf '[accounts]\nuser = %s\n' "$BOT" >"$policy/account.d/sbxt-b.ini"
same "who is confined, said too late" 2 "$(status_of "$B/sbxctl" policy check --root "$ROOT")"
where="$policy/account.d/sbxt-b.ini:2:1: "
holds "where, and what to do" "${where}error: accounts.user counts in policy.ini .* alone: move it there" \
    "$(cat "$W/out/last")"
holds "doctor says it too" "$where" "$("$B/sbxctl" doctor --root "$ROOT")"
same "the others log in" inside "$(bot echo inside)"
mv "$policy/account.d/sbxt-b.ini" "$policy/account.d/$BOT.ini"
[ "$(status_of bot 'echo inside')" -ne 0 ] || fail "the account whose file it is logged in"
rm "$policy/account.d/$BOT.ini"
same "mended" inside "$(bot echo inside)"
