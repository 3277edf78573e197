# A policy that others may write is none.
PROMISE=P1
SOURCE="docs/threat-model.md; CVE-2019-12439 class"
NEEDS_RUN=no
attack() { echo "ran in $(readlink /proc/self/ns/mnt)" >"$PROOF"; }
launch() {
    be bot
    prepare
    chmod 0666 "$ROOT/etc/sbx/policy.ini"
    bot "bash $WORK/.attack ssh"
}
success() { proof; }
twin() { by_ssh; }
