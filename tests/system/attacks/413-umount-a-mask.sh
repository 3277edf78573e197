# The mask over ~/.ssh taken away, and what is below it read.
PROMISE=P2
SOURCE="CVE-2019-19921 class (runc masked paths)"
before() { plant "$WHO_HOME/.ssh/id_sbxt"; }
after() { rm -f "$WHO_HOME/.ssh/id_sbxt"; }
attack() {
    "$TOOL" umount ~/.ssh
    cat ~/.ssh/id_sbxt >"$PROOF"
}
success() { holds_secret; }
twin() {
    be bot
    before
    unfiltered root
}
