# The same in one step, exchanging two folders.
PROMISE=P2
SOURCE="a mount protects an object, not a name; renameat2(2)"
before() {
    mkdir -p "$WORK/prod" && echo good >"$WORK/prod/config.yml" && chown -R "$WHO" "$WORK/prod"
}
launch() { jailed 'deny_write = ~/work/prod/config.yml'; }
attack() {
    cd "$WORK" || exit
    rm -rf p2; mkdir p2 && echo evil >p2/config.yml
    "$TOOL" exchange prod p2 ||
        "$TOOL" exchange p2/config.yml prod/config.yml
}
success() { [ "$(cat "$WORK/prod/config.yml" 2>/dev/null)" != good ]; }
twin() {
    be bot
    before
    jailed
}
