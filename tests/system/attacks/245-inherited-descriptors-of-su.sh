# The same by su, called by a program of root's that leaves descriptors open, with and without
# sbxsh.
PROMISE=P2
SOURCE="CVE-2024-21626 class"
before() { mkdir -p "$W/stand" && echo "$SECRET" >"$W/stand/file"; }
attack() { cat /proc/self/fd/7/file >>"$PROOF"; }
launch() {
    be bot
    prepare
    without_terminal "$with_pam" su - "$BOT" -c "bash $WORK/.attack sealed" 7<"$W/stand"
    without_terminal "$with_pam" su -s /bin/bash "$BOT" -c "bash $WORK/.attack bare" 7<"$W/stand"
    LAUNCHED='sealed bare'
}
success() { holds_secret; }
twin() { unconfined 7<"$W/stand"; }
