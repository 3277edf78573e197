# The caller stands in a folder that the view lacks: it must not come along.
PROMISE=P2
SOURCE="CVE-2024-21626 (runc), ways round a login shell"
before() { mkdir -p "$W/stand" && echo "$SECRET" >"$W/stand/file"; }
attack() { cat "$OLDPWD/file" /proc/self/cwd/file ./file ../stand/file >>"$PROOF"; }
launch() {
    be bot
    prepare
    sed -i '/^cd /d' "$WORK/.attack"
    (cd "$W/stand" && run_as -- /bin/bash -c "
        cat /proc/self/cwd/file ./file >>'$PROOF'
        /bin/bash '$WORK/.attack' bare; '$B/sbxsh' -c 'bash $WORK/.attack sealed'")
}
success() { holds_secret; }
twin() {
    be human
    prepare
    sed -i '/^cd /d' "$WORK/.attack"
    (cd "$W/stand" && setpriv --reuid "$HUMAN_UID" --regid "$HUMAN_UID" --init-groups bash "$WORK/.attack")
}
