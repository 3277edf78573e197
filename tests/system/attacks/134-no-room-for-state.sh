# Where jails are kept nothing can be written.
PROMISE=P1
SOURCE="full disk"
NEEDS_RUN=no
attack() { echo "ran in $(readlink /proc/self/ns/mnt)" >"$PROOF"; }
launch() {
    be bot
    prepare
    mv "$ROOT/run/sbx" "$ROOT/run/sbx.away" 2>/dev/null
    touch "$ROOT/run/sbx"
    bot "bash $WORK/.attack ssh"
    rm -f "$ROOT/run/sbx"
    mv "$ROOT/run/sbx.away" "$ROOT/run/sbx" 2>/dev/null
}
success() { proof; }
twin() { by_ssh; }
