# A pattern: every .pem below the workspace.
PROMISE=P2
SOURCE="docs/threat-model.md"
before() { plant "$WORK/a/b/key.pem" && chown -R "$WHO" "$WORK/a"; }
launch() { jailed 'deny_read = ~/work/**/*.pem'; }
attack() {
    cat "$WORK/a/b/key.pem" >>"$PROOF"
    mv "$WORK/a" "$WORK/c" && cat "$WORK/c/b/key.pem" >>"$PROOF"
    ln "$WORK/a/b/key.pem" "$WORK/k" && cat "$WORK/k" >>"$PROOF"
}
success() { holds_secret; }
twin() {
    be bot
    before
    jailed
}
