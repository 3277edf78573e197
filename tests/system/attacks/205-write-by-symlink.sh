# By a link in the workspace that leads out.
PROMISE=P2
SOURCE="CVE-2021-30465 class"
after() { rm -rf "$WHO_HOME/outside"; }
attack() {
    ln -s ~/outside "$WORK/link"
    echo here >"$WORK/link"
    ln -s ~ "$WORK/dir"
    echo here >"$WORK/dir/outside"
    ln -s /proc/self/root"$HOME"/outside "$WORK/magic"
    echo here >"$WORK/magic"
}
success() { [ -e "$WHO_HOME/outside" ]; }
twin() { unconfined; }
