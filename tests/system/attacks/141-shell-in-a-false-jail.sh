# Namespaces of the account's own that look like a jail, with copies of a true one's records.
PROMISE=P1
SOURCE="CVE-2022-31214 (firejail joins a fake sandbox); CVE-2025-32463"
NEEDS_RUN=no
attack() { :; }
copy_records() {
    mkdir -p "$WORK/session"
    bot true
    cp "$(jail_dir)"/session/{policy,seal,attest,landlock,brief.md} "$WORK/session/"
    chown -R "$BOT" "$WORK/session"
    jails_kill
}
build() { # SHELL
    (cd / && setpriv --reuid "$BOT_UID" --regid "$BOT_UID" --init-groups \
        unshare --user --map-root-user --mount --pid --fork --net --ipc --uts --cgroup bash -c "
            mount -t tmpfs none /run && mkdir -p /run/sbx/session && cp $WORK/session/* /run/sbx/session/ &&
            mount -t proc proc /proc
            mount -o remount,ro /run
            setpriv --no-new-privs $1 -c 'echo root >$PROOF'
            unshare --user --map-user=$BOT_UID setpriv --no-new-privs $1 -c 'echo ran >$PROOF'")
}
launch() {
    be bot
    copy_records
    build "$B/sbxsh"
}
success() { proof; }
twin() {
    be bot
    copy_records
    build /bin/bash
}
