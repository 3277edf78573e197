# Its mode changed first: the account owns it.
PROMISE=P2
SOURCE="chmod(1)"
before() { plant "$WORK/vault/secret" && chown "$WHO" "$WORK/vault"; }
launch() { jailed 'deny_read = ~/work/vault/secret'; }
attack() {
    chmod -R 0777 "$WORK/vault" && cat "$WORK/vault/secret" >>"$PROOF"
    setfacl -m u::rwx "$WORK/vault/secret" && cat "$WORK/vault/secret" >>"$PROOF"
    rm -f "$WORK/vault/secret"; cat "$WORK/vault/secret" >>"$PROOF"
}
success() { holds_secret; }
twin() {
    be bot
    before
    jailed
}
