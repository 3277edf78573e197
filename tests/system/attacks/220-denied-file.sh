# deny_write inside the workspace: written, cut, deleted, replaced.
PROMISE=P2
SOURCE="promise P2"
before() {
    mkdir -p "$WORK/prod" && echo good >"$WORK/prod/config.yml" && chown -R "$WHO" "$WORK/prod"
}
launch() { jailed 'deny_write = ~/work/prod/config.yml'; }
attack() {
    cd "$WORK/prod" || exit
    echo evil >config.yml
    echo evil >>config.yml
    rm -f config.yml
    echo evil >x && mv -f x config.yml
    ln -sf /dev/null config.yml
}
success() { [ "$(cat "$WORK/prod/config.yml" 2>/dev/null)" != good ]; }
twin() {
    be bot
    before
    jailed
}
