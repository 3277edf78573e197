# The example of docs/fleet.md with a package of one's own, as it stands: built, installed on a copy of this machine,
# upgraded with a change of the administrator's kept, refused where it is not valid, purged.
# limit: 300
. tests/system/lib.sh
if [ "${SBX_IN_COPY:-}" != 1 ]; then
    command -v dpkg-deb >/dev/null || skip "no dpkg here"
    [ -e /var/lib/dpkg/status ] || skip "dpkg is there, and no database of it"
    . tests/package/root.sh
    SBX_IN_COPY=1 throwaway_root bash "$0"
    exit
fi

# --- from here on in the copy ---------------------------------------------------------------------
. tests/package/root.sh
mkdir -p "$W/out"
install_here >"$W/out/install" 2>&1 || fail "install: $(tail -n 3 "$W/out/install")"
make_account sbxt-agent /usr/bin/sbxsh || fail "no account"
groupadd -f agents
gpasswd -a sbxt-agent agents >/dev/null
cp -r /usr/share/doc/sbx/examples/deb "$W/example" || fail "the example is not installed"
cd "$W/example" || exit 1
tree=sbx-policy-example
package=sbx-policy-example
# sbx is here as `make install` has it, of which dpkg does not know.
run_dpkg() { DEBIAN_FRONTEND=noninteractive dpkg --ignore-depends=sbx --force-confold "$@" </dev/null >"$W/out/dpkg" 2>&1; }
status_of_package() { dpkg-query -W -f '${db:Status-Status}' $package 2>/dev/null; }
version() { sed -i "s/^Version: .*/Version: $1/" $tree/DEBIAN/control; }
build() { ./build >"$W/out/build" 2>&1; }

build || fail "it is not built: $(cat "$W/out/build")"
run_dpkg -i ${package}_1_all.deb || fail "it is not installed: $(cat "$W/out/dpkg")"
same "installed" installed "$(status_of_package)"
same "conffiles" '/etc/sbx/group.d/ci.ini /etc/sbx/policy.d/10-site.ini /etc/sbx/policy.d/20-accounts.ini' \
    "$(dpkg-query -W -f '${Conffiles}' $package | awk 'NF { print $1 }' | sort | xargs echo)"
same "files only, and conffiles all of them" 3 "$(dpkg -L $package | while read -r path; do [ ! -f "$path" ] || echo "$path"; done | wc -l)"
same "root's" '644 root root' "$(stat -c '%a %U %G' /etc/sbx/policy.d/10-site.ini)"
same "valid" 0 "$(status_of sbxctl policy check)"
same "in force" 11 "$(status_of sbxctl check --account sbxt-agent -c 'git push --mirror backup')"
before=$(sbxctl policy fingerprint --account sbxt-agent) || fail "no fingerprint"

# An upgrade; what the administrator of this machine changed stays.
echo '# of this machine' >>/etc/sbx/group.d/ci.ini
echo 'deny = Bash(git push --force:*)' | sed -i '2r /dev/stdin' $tree/etc/sbx/policy.d/10-site.ini
version 2
build || fail "version 2: $(cat "$W/out/build")"
run_dpkg -i ${package}_2_all.deb || fail "version 2: $(cat "$W/out/dpkg")"
same "the new rule" 11 "$(status_of sbxctl check --account sbxt-agent -c 'git push --force origin x')"
same "the administrator's change" '# of this machine' "$(tail -n 1 /etc/sbx/group.d/ci.ini)"

# What is not valid is not built; packed all the same, it is refused on the machine, with place and reason.
cp -r $tree "$W/good"
echo 'deny_red = ~/x' >>$tree/etc/sbx/policy.d/10-site.ini
version 3
build && fail "a policy that is not valid was built"
holds "where and why" ":10:1: error: no key 'deny_red' in \[test\]" "$(cat "$W/out/build")"
[ ! -e ${package}_3_all.deb ] || fail "there is a package"
dpkg-deb --root-owner-group --build $tree . >/dev/null || fail "dpkg-deb"
run_dpkg -i ${package}_3_all.deb && fail "a policy that is not valid was installed"
holds "where and why, from dpkg" "/etc/sbx/policy.d/10-site.ini:10:1: error: no key 'deny_red' in \[test\]" "$(cat "$W/out/dpkg")"
same "not configured" half-configured "$(status_of_package)"
run_dpkg -i ${package}_2_all.deb || fail "back to the version before: $(cat "$W/out/dpkg")"
same "installed again" installed "$(status_of_package)"
same "valid again" 0 "$(status_of sbxctl policy check)"
rm -r $tree && cp -r "$W/good" $tree
mkdir -p $tree/etc/sbx/account.d
printf '[accounts]\nuser = sbxt-agent\n' >$tree/etc/sbx/account.d/sbxt-agent.ini
build && fail "a key in the wrong place was built"
holds "a key in the wrong place" 'account.d/sbxt-agent.ini:2:1: error: accounts.user counts in policy.ini' "$(cat "$W/out/build")"
echo '[limits]' >$tree/etc/sbx/account.d/sbxt-agent.ini
build && fail "a file that is no conffile was built"
holds "a file that is no conffile" '/etc/sbx/account.d/sbxt-agent.ini is not in DEBIAN/conffiles' "$(cat "$W/out/build")"

run_dpkg -P $package || fail "purge: $(cat "$W/out/dpkg")"
same "nothing of it is left" '' "$(ls /etc/sbx/policy.d /etc/sbx/group.d | grep ini)"
[ "$before" != "$(sbxctl policy fingerprint --account sbxt-agent)" ] || fail "it still counts"
