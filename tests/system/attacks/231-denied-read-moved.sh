# It, or its folder, under another name.
PROMISE=P2
SOURCE="a mount protects an object, not a name"
before() { plant "$WORK/vault/secret" && chown "$WHO" "$WORK/vault"; }
launch() { jailed 'deny_read = ~/work/vault/secret'; }
attack() {
    cd "$WORK" || exit
    mv vault/secret x && cat x >>"$PROOF"
    mv vault v2 && cat v2/secret >>"$PROOF"
    mkdir e && "$TOOL" exchange vault e && cat e/secret >>"$PROOF"
    mv vault/secret ~/.cache/x && cat ~/.cache/x >>"$PROOF"
}
success() { holds_secret; }
twin() {
    be bot
    before
    jailed
}
