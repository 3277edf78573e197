# A key of one's own added, for a login that nobody knows of.
PROMISE=P2
SOURCE="ways round a login shell: an own key added"
after() { rm -f "$WHO_HOME/.ssh/authorized_keys"; }
attack() {
    mkdir -p ~/.ssh
    echo 'ssh-ed25519 AAAA sbxt-mark' >>~/.ssh/authorized_keys
    mkdir "$WORK/ssh" && echo 'ssh-ed25519 AAAA sbxt-mark' >"$WORK/ssh/authorized_keys" && mv -T "$WORK/ssh" ~/.ssh
}
success() { grep -qs sbxt-mark "$WHO_HOME/.ssh/authorized_keys"; }
twin() { unconfined; }
