# A thousand logins, joining and building, leave the counts of processes, mounts, descriptors, control
# groups and namespaces as they were. LOGINS=N for another number.
# limit: 900
. tests/system/lib.sh

count_all() { # one line a count; zombies of others come and go
    local ns
    ns=$(for kind in mnt pid net ipc uts cgroup; do
        readlink /proc/[0-9]*/ns/$kind 2>/dev/null | sort -u | wc -l
    done | paste -sd' ')
    echo "mounts $(wc -l </proc/self/mountinfo)"
    echo "groups $(find /sys/fs/cgroup -type d -name "*sbx-$BOT_UID*" 2>/dev/null | wc -l)"
    echo "account $(pgrep -c -U "$BOT_UID")"
    echo "namespaces $ns"
    echo "sshd $(find "/proc/$SSHD_PID/fd" -mindepth 1 2>/dev/null | wc -l)"
    echo "run $(find "$ROOT/run/sbx" 2>/dev/null | wc -l)"
}

warden_fds() {
    local pid
    pid=$(jail_state warden)
    find "/proc/$pid/fd" -mindepth 1 2>/dev/null | wc -l
}

login_many() { # COUNT: four at a time
    local lane
    for lane in 1 2 3 4; do
        (for ((i = lane; i <= $1; i += 4)); do
            [ "$(bot 'echo in' </dev/null)" = in ] || { echo "login $i failed" >>"$W/out/lost"; break; }
        done) &
        lanes+=($!)
    done
    wait "${lanes[@]}"
    lanes=()
}

lanes=() many=${LOGINS:-1000}
: >"$W/out/lost"
bot true || fail "no login"
jails_kill || fail "the jail does not end"
wait_until 10 no_leftovers || fail "left before: $(leftovers)"
before=$(count_all)

# Joining one live jail.
bot 'exec sleep 900' >/dev/null 2>&1 &
holder=$!
wait_until 20 jail_lives || fail "no jail"
login_many 8
fds=$(warden_fds)
login_many "$many"
[ ! -s "$W/out/lost" ] || fail "$(cat "$W/out/lost")"
settled() { [ "$(warden_fds)" -le "$fds" ]; }
wait_until 20 settled || fail "the warden held $fds descriptors, now $(warden_fds)"
kill "$holder"
jails_kill || fail "the jail does not end"

# And building one each time.
world_policy '[jail]' 'scope = session'
login_many $((many < 40 ? many : 40))
[ ! -s "$W/out/lost" ] || fail "$(cat "$W/out/lost")"
wait_until 30 no_jail_names || fail "jails stay: $(jail_names)"

as_before() { # no number has grown; what others on this machine end meanwhile is theirs
    paste -d' ' <(tr ' ' '\n' <<<"$before") <(count_all | tr ' ' '\n') |
        awk '$1 ~ /^[0-9]+$/ && $2 > $1 { grew = 1 } END { exit grew }'
}
wait_until 30 as_before || fail "$(diff <(echo "$before") <(count_all))"
