# Plain: a file in the home, outside the workspace.
PROMISE=P2
SOURCE="promise P2"
after() { rm -rf "$WHO_HOME/outside"; }
attack() {
    echo here >~/outside
}
success() { [ -e "$WHO_HOME/outside" ]; }
twin() { unconfined; }
