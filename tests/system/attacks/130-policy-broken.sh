# A policy that cannot be read: no login, rather than one without a jail.
PROMISE=P1
SOURCE="docs/threat-model.md"
NEEDS_RUN=no
attack() { echo "ran in $(readlink /proc/self/ns/mnt)" >"$PROOF"; }
launch() {
    be bot
    prepare
    echo '[sandbox' >>"$ROOT/etc/sbx/policy.ini"
    bot "bash $WORK/.attack ssh"
}
success() { proof; }
twin() { by_ssh; }
