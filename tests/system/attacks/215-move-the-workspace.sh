# The workspace or a cache moved away and another put in its place.
PROMISE=P2
SOURCE="a mount protects an object, not a name"
after() { [ ! -d "$WHO_HOME/work2" ] || { rmdir "$WHO_HOME/work"; mv "$WHO_HOME/work2" "$WHO_HOME/work"; }; }
attack() {
    mv ~/work ~/work2 && mkdir ~/work
    "$TOOL" exchange ~/work ~/.cache
    rmdir ~/.cache && ln -s / ~/.cache
}
success() { [ -d "$WHO_HOME/work2" ] || [ -L "$WHO_HOME/.cache" ] || [ -e "$WHO_HOME/.cache/.attack" ]; }
twin() { unconfined; }
