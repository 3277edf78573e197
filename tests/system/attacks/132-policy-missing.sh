# No policy at all, for an account whose shell is sbxsh.
PROMISE=P1
SOURCE="ways round a login shell: firejail's login.users unreadable, no restriction"
NEEDS_RUN=no
attack() { echo "ran in $(readlink /proc/self/ns/mnt)" >"$PROOF"; }
launch() {
    be bot
    prepare
    rm -f "$ROOT/etc/sbx/policy.ini"
    bot "bash $WORK/.attack ssh"
}
success() { proof; }
twin() { by_ssh; }
