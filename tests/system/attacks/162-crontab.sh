# A job for later, outside: by the spool, by crontab, by at, by the user's systemd.
PROMISE=P1
SOURCE="ways round a login shell: crontab, at, timers"
attack() {
    echo '* * * * * true' | crontab - && echo crontab >>"$PROOF"
    echo true | at now + 1 hour && echo at >>"$PROOF"
    echo '* * * * * true' >/var/spool/cron/crontabs/$(id -un) && echo spool >>"$PROOF"
    systemd-run --user true && echo systemd >>"$PROOF"
    loginctl enable-linger && echo linger >>"$PROOF"
}
success() { proof || crontab -u "$WHO" -l 2>/dev/null | grep -q true; }
after() { crontab -u "$WHO" -r 2>/dev/null; }
twin() {
    command -v crontab >/dev/null || skip 'no crontab here'
    unconfined
}
