# Every system call that builds a jail fails once: the login is refused and the host is clean.
# limit: 900
. tests/system/lib.sh
command -v strace >/dev/null || skip "strace is not installed"
[ "${FAULTS:-}" != none ] || skip "each fault takes too long on this machine (FAULTS=ends tries some)"

# Calls of which each one has to count, as the builder, the warden and those who join make them. Where
# one is made dozens of times, the first ones, the last and some between; FAULTS=all tries every one,
# FAULTS=ends the first and the last, for a machine where each attempt takes seconds.
calls=(clone3 unshare mount fsopen fsconfig fsmount open_tree mount_setattr move_mount pivot_root
    umount2 symlinkat execveat capset setgroups setresuid setresgid memfd_create bind listen
    mkdirat fchmodat renameat socketpair setns seccomp openat2)

# The program in the jail proves by its output that it ran.
attempt() { # CALL N: sets status, hits
    strace -f -qq -o "$W/out/trace" -e "trace=$1" -e "inject=$1:error=EPERM:when=$2" \
        "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- /bin/echo inside \
        >"$W/out/said" 2>"$W/out/why"
    status=$?
    hits=$(grep -c INJECTED "$W/out/trace")
}

total=$(strace -f -qq -o "$W/out/all" -e "trace=$(IFS=,; echo "${calls[*]}")" \
    "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- /bin/echo inside 2>&1)
same "without a fault" inside "$total"

tried=0 refused=0 least=40
[ "${FAULTS:-}" != ends ] || least=20
for call in "${calls[@]}"; do
    # Counted by process: as many as the process that makes the most of them.
    most=$(grep -E "^[0-9]+ +$call\(" "$W/out/all" | cut -d' ' -f1 | sort | uniq -c | sort -rn |
        awk 'NR == 1 { print $1 }')
    [ -n "$most" ] || continue
    step=1
    case ${FAULTS:-} in
    all) ;;
    ends) [ "$most" -le 2 ] || step=$((most - 1)) ;;
    *) [ "$most" -le 6 ] || step=$((most / 4)) ;;
    esac
    for ((n = 1; n <= most; n += step)); do
        attempt "$call" "$n"
        [ "$hits" -gt 0 ] || continue
        tried=$((tried + 1))
        # A helper that dies of it is started again, and calls that only read or probe may fail: then
        # the program runs, in a jail. What must never be is a program that runs after a refusal, or a
        # refusal that leaves something behind or gives no reason.
        if [ "$status" -eq 0 ]; then
            same "$call $n: output" inside "$(cat "$W/out/said")"
            case $call in
                mount | fsopen | fsconfig | fsmount | mount_setattr | move_mount | pivot_root | umount2 | \
                    unshare | clone3 | setns)
                    grep INJECTED "$W/out/trace" >&2
                    fail "$call $n failed, and the program ran all the same"
                    ;;
            esac
        else
            refused=$((refused + 1))
            same "$call $n: exit status" 254 "$status"
            same "$call $n: output" "" "$(cat "$W/out/said")"
            [ -s "$W/out/why" ] || fail "$call $n: refused without a word"
        fi
        wait_until 10 no_leftovers || fail "$call $n left: $(leftovers)"
    done
done
[ "$refused" -ge $least ] || fail "only $refused of $tried attempts were refused"
echo "$tried faults, $refused refusals, $((tried - refused)) survived"
same "afterwards" inside "$("$B/sbxctl" run --root "$ROOT" --account "$BOT" -- /bin/echo inside 2>&1)"
