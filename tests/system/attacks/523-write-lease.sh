# A lease on a file that root opens: the open waits for the holder, 45 seconds by default.
PROMISE=P5
SOURCE="names swapped under whoever looks"
NEEDS_RUN=no
# What root opens of the account's: the workspace's files at the start of the next jail.
before() { mkdir -p "$WORK/prod"; echo x >"$WORK/prod/file"; chown -R "$WHO" "$WORK/prod"; }
lease='use Fcntl; open F, "<", "$ENV{HOME}/work/prod/file" or die; fcntl(F, 1024, 0) or die "lease: $!"; $SIG{IO} = "IGNORE"; sleep 15'
attack() { perl -e "$lease" & sleep 0.5; }
GIVE=(lease)
launch() {
    be bot
    prepare
    bot "setsid bash $WORK/.attack ssh </dev/null >/dev/null 2>&1 & sleep 0.7"
    local start
    start=$(date +%s%N)
    world_policy 'deny_write = ~/work/prod/file' '[jail]' 'scope = session'
    LIMIT=14 SLOW=1 bot true || echo slow >"$PROOF"
    [ $((($(date +%s%N) - start) / 1000000)) -lt 7000 ] || echo slow >"$PROOF"
}
success() { proof; }
twin() {
    be human
    as_human perl -e "$lease" 3>&- 4>&- &
    sleep 0.5
    timeout 2 sh -c "echo x >'$WORK/prod/file'" || echo slow >"$PROOF"
    local pid
    for pid in $(pgrep -U "$HUMAN_UID"); do kill "$pid"; done
}
