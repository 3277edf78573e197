# Descriptors of the caller: a folder and a file of root's.
PROMISE=P2
SOURCE="CVE-2024-21626 (runc), CVE-2019-5736"
before() { mkdir -p "$W/stand" && echo "$SECRET" >"$W/stand/file"; }
attack() {
    cat /proc/self/fd/7/file /dev/fd/7/file <&8 >>"$PROOF"
    cat <&8 >>"$PROOF"
}
launch() {
    {
        be bot
        prepare
        run_as -- /bin/bash -c "
            /bin/bash '$WORK/.attack' bare; '$B/sbxsh' -c 'bash $WORK/.attack sealed'"
    } 7<"$W/stand" 8<"$W/stand/file"
}
success() { holds_secret; }
twin() { unconfined 7<"$W/stand" 8<"$W/stand/file"; }
