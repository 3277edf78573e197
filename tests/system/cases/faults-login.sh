# Any system call of the login failing once: the account is refused or is in its jail, nothing between.
# limit: 900
. tests/system/lib.sh
command -v strace >/dev/null || skip "strace is not installed"
[ "${FAULTS:-}" != none ] || skip "each fault takes too long on this machine (FAULTS=ends tries some)"

host=$(readlink /proc/self/ns/mnt)
probe='echo ran; readlink /proc/self/ns/net; grep -E "NoNewPrivs|Seccomp:|CapBnd" /proc/self/status'
host_net=$(readlink /proc/self/ns/net)

nothing_outside() {
    local pid
    for pid in $(pgrep -U "$BOT_UID"); do
        [ "$(readlink "/proc/$pid/ns/mnt")" != "$host" ] || return 1
    done
}

check_probe() { # NAME OUTPUT: where the command ran, all of the jail was around it
    grep -q '^ran' <<<"$2" || return 0
    lacks "$1: the host's network" "$(tr -d '[]' <<<"$host_net")" "$(tr -d '[]' <<<"$2")"
    holds "$1: no new privileges" 'NoNewPrivs:.1' "$2"
    holds "$1: filter" 'Seccomp:.2' "$2"
    holds "$1: bounding set" 'CapBnd:.0000000000000000' "$2"
}

# su joins in its own process: whatever it calls there, once each. A session keeps the jail alive, so
# that what fails is the join and not the build. Traced is su alone, not what puts our PAM lines in place.
# FAULTS is as in faults.sh.
LIMIT=900 bot 'echo in; exec sleep 3600' >"$W/out/held" 2>/dev/null &
holder=$!
trap 'kill "$holder" 2>/dev/null' EXIT
wait_until 20 grep -qx in "$W/out/held" || fail "cannot log in"
calls=(setns seccomp prctl capset prlimit64 setrlimit fchdir openat2 sendto recvmsg connect mmap
    madvise clone write)
tried=0 refused=0 least=10
[ "${FAULTS:-}" != ends ] || least=5
for call in "${calls[@]}"; do
    setsid -w "$with_pam" strace -f -qq -o "$W/out/all" -e "trace=$call" su - "$BOT" -c true \
        </dev/null >/dev/null 2>&1
    most=$(grep " $call(" "$W/out/all" | cut -d' ' -f1 | sort | uniq -c | sort -rn | awk 'NR == 1 { print $1 }')
    [ -n "$most" ] || continue
    step=1
    case ${FAULTS:-} in
    all) ;;
    ends) [ "$most" -le 2 ] || step=$((most - 1)) ;;
    *) [ "$most" -le 8 ] || step=$((most / 6)) ;;
    esac
    for ((n = 1; n <= most; n += step)); do
        output=$(timeout 60 setsid -w "$with_pam" strace -f -qq -o "$W/out/trace" -e "trace=$call" \
            -e "inject=$call:error=EPERM:when=$n" su - "$BOT" -c "$probe" </dev/null 2>&1)
        grep -q INJECTED "$W/out/trace" || continue
        tried=$((tried + 1))
        grep -q '^ran' <<<"$output" || refused=$((refused + 1))
        check_probe "$call $n" "$output"
    done
done
[ "$refused" -ge $least ] || fail "only $refused of $tried were refused"

# sshd: the child's join fails; nothing runs, the connection ends, and the record says why.
strace -f -qq -o "$W/out/trace" -e trace=setns -e inject=setns:error=EPERM -p "$SSHD_PID" &
tracer=$!
trap 'kill "$tracer" "$holder" 2>/dev/null' EXIT
sleep 1
for try in exec pty sftp forward; do
    case $try in
    exec) output=$(bot "$probe" 2>&1) ;;
    pty) output=$(client ssh -tt bot "$probe" 2>&1) ;;
    sftp) output=$(echo ls | client sftp -b - -s sftp-internal bot 2>&1) ;;
    forward) output=$(client ssh -W "127.0.0.1:$PORT" bot </dev/null 2>&1) ;;
    esac && fail "$try: succeeded"
    lacks "$try" '^ran|SSH-2.0|^work' "$output"
    wait_until 5 nothing_outside || fail "$try: a process of the account is outside"
done
kill "$tracer"
wait "$tracer" 2>/dev/null
holds "the record says why" '"action": *"refuse".*cannot enter' "$(events host)"
same "afterwards" ok "$(bot 'echo ok')"
