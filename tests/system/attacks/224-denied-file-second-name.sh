# Another name for the same file.
PROMISE=P2
SOURCE="link(2)"
before() {
    mkdir -p "$WORK/prod" && echo good >"$WORK/prod/config.yml" && chown -R "$WHO" "$WORK/prod"
}
launch() { jailed 'deny_write = ~/work/prod/config.yml'; }
attack() {
    cd "$WORK" || exit
    ln prod/config.yml alias && echo evil >alias
    "$TOOL" link-fd prod/config.yml alias2 && echo evil >alias2
    cp -rl prod copy && echo evil >copy/config.yml
}
success() { [ "$(cat "$WORK/prod/config.yml" 2>/dev/null)" != good ]; }
twin() {
    be bot
    before
    jailed
}
