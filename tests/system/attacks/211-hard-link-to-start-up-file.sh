# A second name for it in the workspace, where writing is allowed.
PROMISE=P2
SOURCE="link(2); promise P2"
after() { sed -i /sbxt-mark/d "$WHO_HOME/.bashrc"; }
attack() {
    ln ~/.bashrc "$WORK/rc" || "$TOOL" link-fd ~/.bashrc "$WORK/rc" || cp -l ~/.bashrc "$WORK/rc"
    echo ': sbxt-mark' >>"$WORK/rc"
}
success() { grep -qs sbxt-mark "$WHO_HOME/.bashrc"; }
twin() { unconfined; }
