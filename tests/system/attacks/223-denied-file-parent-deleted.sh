# The tree deleted as far as it goes, and made anew.
PROMISE=P2
SOURCE="names swapped under whoever looks"
before() {
    mkdir -p "$WORK/prod" && echo good >"$WORK/prod/config.yml" && chown -R "$WHO" "$WORK/prod"
}
launch() { jailed 'deny_write = ~/work/prod/config.yml'; }
attack() {
    cd "$WORK" || exit
    rm -rf prod
    mkdir -p prod
    echo evil >prod/config.yml
}
success() { [ "$(cat "$WORK/prod/config.yml" 2>/dev/null)" != good ]; }
twin() {
    be bot
    before
    jailed
}
