# By the roots and working directories that /proc shows.
PROMISE=P2
SOURCE="ways round a login shell; promise P2"
after() { rm -rf "$WHO_HOME/outside"; }
attack() {
    cd ~
    for pid in self thread-self $$ $PPID 1; do
        echo here >/proc/$pid/root"$HOME"/outside
        echo here >/proc/$pid/cwd/outside
    done
}
success() { [ -e "$WHO_HOME/outside" ]; }
twin() { unconfined; }
