# A file of the workspace moved out.
PROMISE=P2
SOURCE="rename(2)"
after() { rm -rf "$WHO_HOME/outside"; }
attack() {
    echo here >"$WORK/x"
    mv "$WORK/x" ~/outside
    perl -e 'rename "$ENV{HOME}/work/x", "$ENV{HOME}/outside"'
    ln "$WORK/x" ~/outside
    cp "$WORK/x" ~/outside
}
success() { [ -e "$WHO_HOME/outside" ]; }
twin() { unconfined; }
