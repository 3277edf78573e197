# The starter policies are valid, open nothing that lint knows, and do what their own examples say: with allow,
# ask and deny in each.
. tests/system/lib.sh
count=0
for file in etc/policies/*.ini; do
    name=${file##*/}
    same "$name: check" 0 "$(status_of "$B/sbxctl" policy check "$file")"
    same "$name: lint" 'policy lint: 0 findings' \
        "$("$B/sbxctl" policy lint "$file" --account agent --home /home/agent 2>/dev/null)"
    said=$("$B/sbxctl" policy test "$file" --account agent --home /home/agent 2>/dev/null)
    holds "$name: test" '^policy test: [0-9]+ passed, 0 failed$' "$said"
    same "$name: nothing else" 1 "$(wc -l <<<"$said")"
    for verdict in allow ask deny; do
        [ "$(sed -n '/^\[test\]/,$p' "$file" | grep -c "^$verdict = ")" -ge 3 ] ||
            [ "$verdict" = ask ] || fail "$name: fewer than three examples of $verdict"
        sed -n '/^\[test\]/,$p' "$file" | grep -q "^$verdict = " || fail "$name: no example of $verdict"
    done
    count=$((count + 1))
done
[ $count -ge 7 ] || fail "only $count starter policies"
# An example that no longer holds is found.
sed 's/^deny = rm -rf ~$/allow = rm -rf ~/' etc/policies/web.ini >"$W/out/broken.ini"
same "the twin" 1 "$(status_of "$B/sbxctl" policy test "$W/out/broken.ini" --account agent)"
