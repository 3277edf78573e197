# By dots, from the workspace and from the other mounts.
PROMISE=P2
SOURCE="path traversal"
after() { rm -rf "$WHO_HOME/outside"; }
attack() {
    echo here >"$WORK/../outside"
    cd "$WORK" && echo here >../outside
    cd ~/.cache && echo here >../outside
}
success() { [ -e "$WHO_HOME/outside" ]; }
twin() { unconfined; }
