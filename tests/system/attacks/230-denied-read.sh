# deny_read on a file of the workspace: read by every plain way.
PROMISE=P2
SOURCE="promise P2"
before() { plant "$WORK/vault/secret" && chown "$WHO" "$WORK/vault"; }
launch() { jailed 'deny_read = ~/work/vault/secret'; }
attack() {
    cd "$WORK/vault" || exit
    cat secret >>"$PROOF"
    perl -pe1 secret >>"$PROOF"
    cat <secret >>"$PROOF"
    mapfile -t lines <secret && echo "${lines[@]}" >>"$PROOF"
    tar cf - secret >>"$PROOF"
    dd if=secret >>"$PROOF"
    bash ./secret 2>>"$PROOF"
    . ./secret 2>>"$PROOF"
    head -c 99 secret >>"$PROOF"
}
success() { holds_secret; }
twin() {
    be bot
    before
    jailed
}
