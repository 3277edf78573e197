# A link in the policy's place, to a file of the account's.
PROMISE=P1
SOURCE="ways round a login shell"
NEEDS_RUN=no
attack() { echo "ran in $(readlink /proc/self/ns/mnt)" >"$PROOF"; }
launch() {
    be bot
    prepare
    mv "$ROOT/etc/sbx/policy.ini" "$WORK/policy.ini"
    chown "$BOT" "$WORK/policy.ini"
    ln -s "$WORK/policy.ini" "$ROOT/etc/sbx/policy.ini"
    bot "bash $WORK/.attack ssh"
}
success() { proof; }
twin() { by_ssh; }
