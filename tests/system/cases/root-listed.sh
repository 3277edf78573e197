# uid 0 is never confined, listed or not; that it is listed is an error of the policy.
. tests/system/lib.sh

printf '[accounts]\nuser = root\n' >>"$ROOT/etc/sbx/policy.ini"
output=$(without_terminal "$with_pam" su - root -c 'readlink /proc/self/ns/mnt; id -u')
holds "root is root" '^0' "$output"
same "in the host's pid namespace" "$(readlink /proc/self/ns/pid)" \
    "$(without_terminal "$with_pam" su - root -c 'readlink /proc/self/ns/pid' | tail -n 1)"
