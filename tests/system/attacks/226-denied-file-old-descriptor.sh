# By a folder opened before, from another working directory, and through /proc.
PROMISE=P2
SOURCE="a mount protects an object, not a name"
before() {
    mkdir -p "$WORK/prod" && echo good >"$WORK/prod/config.yml" && chown -R "$WHO" "$WORK/prod"
}
launch() { jailed 'deny_write = ~/work/prod/config.yml'; }
attack() {
    cd "$WORK/prod" || exit
    exec 9<.
    cd /
    echo evil >/proc/self/fd/9/config.yml
    echo evil >/proc/$$/root"$WORK"/prod/config.yml
    sh -c 'cd /dev/fd/9 && echo evil >config.yml'
}
success() { [ "$(cat "$WORK/prod/config.yml" 2>/dev/null)" != good ]; }
twin() {
    be bot
    before
    jailed
}
