# By the roots, working directories and descriptors that /proc has.
PROMISE=P2
SOURCE="promise P2; ways round a login shell"
before() { plant "$WORK/vault/secret" && chown "$WHO" "$WORK/vault"; }
launch() { jailed 'deny_read = ~/work/vault/secret'; }
attack() {
    exec 9<"$WORK/vault" 8<"$WORK"
    cat /proc/self/fd/9/secret /dev/fd/8/vault/secret >>"$PROOF"
    for pid in self 1 $$ $PPID; do cat /proc/$pid/root"$WORK"/vault/secret /proc/$pid/cwd/vault/secret >>"$PROOF"; done
    (cd "$WORK/vault" && cat /proc/self/cwd/secret >>"$PROOF")
}
success() { holds_secret; }
twin() {
    be bot
    before
    jailed
}
