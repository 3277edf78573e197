# Deleted, not written: a file of the home, and the folders that are mounts.
PROMISE=P2
SOURCE="rm -rf ~"
before() { mkdir -p "$WHO_HOME/keep"; echo x >"$WHO_HOME/keep/victim"; chown -R "$WHO" "$WHO_HOME/keep"; }
after() { rm -rf "$WHO_HOME/keep"; }
attack() {
    rm -rf ~/keep
    mv ~/keep "$WORK/keep"
    mv ~/keep ~/kept
}
success() { [ ! -e "$WHO_HOME/keep/victim" ]; }
twin() { unconfined; }
