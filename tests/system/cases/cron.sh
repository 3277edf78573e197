# cron: a job of the account runs in the jail, with /bin/sh and no login shell.
. tests/system/lib.sh
command -v cron >/dev/null || skip "no Debian cron here"

cat >"$W/out/crontab" <<'END'
@reboot readlink /proc/self/ns/mnt > work/cron.new; grep -E 'Seccomp:|NoNewPrivs' /proc/self/status >> work/cron.new; touch outside; mv work/cron.new work/cron
END
install -d -m 1730 -g crontab "$W/out/crontabs"
install -m 0600 -o "$BOT" -g crontab "$W/out/crontab" "$W/out/crontabs/$BOT"
: >"$W/out/empty"
mkdir -p "$W/out/cron.d"
# Its own spool, system table and pid file, in a mount namespace of its own.
# shellcheck disable=SC2016 # expanded by the inner shell
"$with_pam" bash -c '
    mount -t tmpfs tmpfs /run &&
        mount --bind "$W/out/crontabs" /var/spool/cron/crontabs &&
        mount --bind "$W/out/empty" /etc/crontab &&
        mount --bind "$W/out/cron.d" /etc/cron.d && exec cron -f' &
daemon=$!
trap 'kill "$daemon" 2>/dev/null' EXIT
wait_until 60 test -e "$BOT_HOME/work/cron" || fail "the job did not run"
output=$(cat "$BOT_HOME/work/cron")
holds "runs" 'mnt:\[' "$output"
lacks "the host's view" "$(readlink /proc/self/ns/mnt | tr -d '[]')" "$(tr -d '[]' <<<"$output")"
holds "filtered" 'Seccomp:.2' "$output"
holds "no new privileges" 'NoNewPrivs:.1' "$output"
[ ! -e "$BOT_HOME/outside" ] || fail "the job wrote outside the workspace"
