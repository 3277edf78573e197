# The example of docs/fleet.md with Ansible, as it stands: policy reaches /etc/sbx of a copy of this machine, and what is
# not valid is refused by the validate step and leaves the old file in force.
# limit: 400
. tests/system/lib.sh
if [ "${SBX_IN_COPY:-}" != 1 ]; then
    command -v ansible-playbook >/dev/null || skip "no ansible here"
    . tests/package/root.sh
    SBX_IN_COPY=1 throwaway_root bash "$0"
    exit
fi

# --- from here on in the copy ---------------------------------------------------------------------
. tests/package/root.sh
mkdir -p "$W/out"
install_here >"$W/out/install" 2>&1 || fail "install: $(tail -n 3 "$W/out/install")"
make_account sbxt-agent /usr/bin/sbxsh || fail "no account"
cp -r /usr/share/doc/sbx/examples/ansible "$W/example" || fail "the example is not installed"
cd "$W/example" || exit 1
printf '[agents]\nlocalhost ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n[agents:vars]\nsbx_accounts=["sbxt-agent"]\n' >hosts
export HOME=$W/out ANSIBLE_HOME=$W/out/ansible ANSIBLE_NOCOLOR=1 ANSIBLE_DEPRECATION_WARNINGS=False LC_ALL=C.UTF-8 \
    ANSIBLE_LOCALHOST_WARNING=False
play() { timeout 180 ansible-playbook -i hosts sbx.yml "$@" >"$W/out/play" 2>&1; }

touch /etc/sbx/policy.d/old.conf /etc/sbx/account.d/gone.ini
printf '[accounts]\nuser = sbxt-other\n' >/etc/sbx/policy.d/50-enrolled.ini
play --check --diff || fail "a dry run: $(tail -n 20 "$W/out/play")"
[ ! -e /etc/sbx/policy.d/10-site.ini ] || fail "a dry run wrote"
play || fail "$(tail -n 20 "$W/out/play")"
for file in policy.ini policy.d/10-site.ini group.d/ci.ini; do
    cmp "policy/$file" "/etc/sbx/$file" || fail "$file is another one"
    same "$file" '644 root root' "$(stat -c '%a %U %G' "/etc/sbx/$file")"
done
same "who is confined" 'user = sbxt-agent' "$(grep user /etc/sbx/policy.d/20-accounts.ini)"
same "what is there" '10-site.ini 20-accounts.ini 50-enrolled.ini' "$(cd /etc/sbx/policy.d && echo *)"
[ ! -e /etc/sbx/account.d/gone.ini ] || fail "what is no longer shipped is still there"
same "in force" 11 "$(status_of sbxctl check --account sbxt-agent -c 'git push --mirror backup')"
play || fail "again: $(tail -n 20 "$W/out/play")"
holds "nothing to change" 'changed=0 ' "$(cat "$W/out/play")"
before=$(sbxctl policy fingerprint --account sbxt-agent) || fail "no fingerprint"

refused() { # WHAT FILE PATTERN
    local old
    old=$(sha256sum "/etc/sbx/$2")
    play && fail "$1: it was taken"
    holds "$1: where and why" "$3" "$(cat "$W/out/play")"
    same "$1: the old file" "$old" "$(sha256sum "/etc/sbx/$2")"
    same "$1: in force" "$before" "$(sbxctl policy fingerprint --account sbxt-agent)"
    same "$1: nothing half-written" '10-site.ini 20-accounts.ini 50-enrolled.ini' "$(cd /etc/sbx/policy.d && ls -A | xargs echo)"
}
cp -r policy "$W/good"
echo 'deny_red = ~/x' >>policy/policy.d/10-site.ini
refused "a misspelt key" policy.d/10-site.ini "failed to validate.*:9:1: error: no key 'deny_red' in \[test\]"
rm -r policy && cp -r "$W/good" policy
printf '[filesystem]\ndeny_read = ~/.ss' >policy/policy.ini
refused "a half-written file" policy.ini 'failed to validate.*:2:18: error: the last line has no end'
rm -r policy && cp -r "$W/good" policy
printf '[accounts]\nuser = sbxt-agent\n' >policy/group.d/ci.ini
refused "a key in the wrong place" group.d/ci.ini 'failed to validate.*:2:1: error: accounts.user counts in policy.ini'
rm -r policy && cp -r "$W/good" policy
sed -i 's/sbxt-agent/sbxt agent/' hosts
refused "a template" policy.d/20-accounts.ini 'failed to validate.*:3:8: error: accounts.user: one name a line'
sed -i 's/sbxt agent/sbxt-agent/' hosts
sed -i 's/^allow = git status/deny = git status/' policy/policy.d/10-site.ini
play && fail "an example that does not hold"
holds "an example that does not hold" '10-site.ini:5:8: expected deny, got allow' "$(cat "$W/out/play")"
rm -r policy && mv "$W/good" policy
play || fail "mended: $(tail -n 20 "$W/out/play")"
same "and in force again" "$before" "$(sbxctl policy fingerprint --account sbxt-agent)"
