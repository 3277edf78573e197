# A denied folder deep in the workspace, moved by each of the folders above it.
PROMISE=P2
SOURCE="a mount protects an object, not a name"
before() {
    mkdir -p "$WORK/a/b/c/keys" && echo good >"$WORK/a/b/c/keys/key" && chown -R "$WHO" "$WORK/a"
}
launch() { jailed 'deny_write = ~/work/a/b/c/keys'; }
attack() {
    local dir
    cd "$WORK" || exit
    for dir in a/b/c a/b a; do
        mv "$dir" moved && mkdir -p a/b/c/keys && echo evil >a/b/c/keys/key
    done
    echo evil >a/b/c/keys/new
}
success() { [ "$(cat "$WORK/a/b/c/keys/key" 2>/dev/null)" != good ] || [ -e "$WORK/a/b/c/keys/new" ]; }
twin() {
    be bot
    before
    jailed
}
