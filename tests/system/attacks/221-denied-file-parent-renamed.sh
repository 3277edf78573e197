# A mount protects an object, not a name: its folder is moved away, and another made there.
PROMISE=P2
SOURCE="a mount protects an object, not a name"
before() {
    mkdir -p "$WORK/prod" && echo good >"$WORK/prod/config.yml" && chown -R "$WHO" "$WORK/prod"
}
launch() { jailed 'deny_write = ~/work/prod/config.yml'; }
attack() {
    cd "$WORK" || exit
    mv prod p2 && mkdir prod && echo evil >prod/config.yml
}
success() { [ "$(cat "$WORK/prod/config.yml" 2>/dev/null)" != good ]; }
twin() {
    be bot
    before
    jailed
}
