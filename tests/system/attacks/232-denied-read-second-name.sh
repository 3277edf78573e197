# Another name for it.
PROMISE=P2
SOURCE="link(2)"
before() { plant "$WORK/vault/secret" && chown "$WHO" "$WORK/vault"; }
launch() { jailed 'deny_read = ~/work/vault/secret'; }
attack() {
    cd "$WORK" || exit
    ln vault/secret x && cat x >>"$PROOF"
    cp -rl vault copy && cat copy/secret >>"$PROOF"
    "$TOOL" link-fd vault/secret y && cat y >>"$PROOF"
}
success() { holds_secret; }
twin() {
    be bot
    before
    jailed
}
