# A kernel that lacks what a jail needs, or hides it: the login is refused by name, nothing is left.
# limit: 300
. tests/system/lib.sh
command -v strace >/dev/null || skip "strace is not installed"

masked() { # CALL PATTERN
    local status
    strace -f -qq -o /dev/null -e "trace=$1" -e "inject=$1:error=ENOSYS" \
        "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- /bin/echo inside >"$W/out/said" 2>"$W/out/why"
    status=$?
    same "$1: exit status" 254 "$status"
    same "$1: output" "" "$(cat "$W/out/said")"
    holds "$1: named" "$2" "$(cat "$W/out/why")"
    wait_until 10 no_leftovers || fail "$1 left: $(leftovers)"
}

masked landlock_create_ruleset '[Ll]andlock'
masked openat2 'openat2'
masked mount_setattr 'mount_setattr'
masked open_tree 'open_tree'
masked move_mount 'the new root: Function not implemented'
masked pidfd_open 'pidfd'
masked seccomp 'seccomp|filter'
masked clone3 'namespaces: Function not implemented'
same "the twin, nothing masked" inside \
    "$("$B/sbxctl" run --root "$ROOT" --account "$BOT" -- /bin/echo inside 2>&1)"
