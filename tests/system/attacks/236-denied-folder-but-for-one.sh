# A denied folder with one re-opened below it: what lies beside that stays hidden.
PROMISE=P2
SOURCE="docs/threat-model.md, allow_read inside deny_read"
before() {
    plant "$WORK/box/secret"
    mkdir "$WORK/box/open" && echo open >"$WORK/box/open/file"
    chown -R "$WHO" "$WORK/box"
}
launch() { jailed 'deny_read = ~/work/box' 'allow_read = ~/work/box/open'; }
attack() {
    cat "$WORK/box/open/file" >"$WORK/seen"
    cat "$WORK/box/secret" "$WORK/box/open/../secret" >>"$PROOF"
    (cd "$WORK/box/open" && cat ../secret /proc/self/cwd/../secret >>"$PROOF")
}
success() { holds_secret; }
twin() {
    be bot
    before
    jailed
}
