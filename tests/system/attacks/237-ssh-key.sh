# The account's own keys, under every policy.
PROMISE=P2
SOURCE="own"
before() { plant "$WHO_HOME/.ssh/id_sbxt"; }
after() { rm -f "$WHO_HOME/.ssh/id_sbxt"; }
attack() {
    cat ~/.ssh/id_sbxt /proc/self/root"$HOME"/.ssh/id_sbxt >>"$PROOF"
    cp -r ~/.ssh "$WORK/ssh" && cat "$WORK/ssh/id_sbxt" >>"$PROOF"
    mv ~/.ssh "$WORK/ssh2" && cat "$WORK/ssh2/id_sbxt" >>"$PROOF"
}
success() { holds_secret; }
twin() { unconfined; }
