# A link in the place of the folder.
PROMISE=P2
SOURCE="CVE-2021-30465 class"
before() {
    mkdir -p "$WORK/prod" && echo good >"$WORK/prod/config.yml" && chown -R "$WHO" "$WORK/prod"
}
launch() { jailed 'deny_write = ~/work/prod/config.yml'; }
attack() {
    cd "$WORK" || exit
    mkdir p2 && echo evil >p2/config.yml
    mv prod old && ln -s p2 prod
    rmdir prod; ln -sfn p2 prod
}
success() { [ "$(cat "$WORK/prod/config.yml" 2>/dev/null)" != good ]; }
twin() {
    be bot
    before
    jailed
}
