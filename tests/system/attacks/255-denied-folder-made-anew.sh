# A denied directory that the host takes away and makes again, and one whose parent is exchanged for a
# new tree, as deployments do, while the jail lives.
PROMISE=P2
SOURCE="a mount protects an object, not a name"
before() {
    plant "$WHO_HOME/private/key"
    plant "$WHO_HOME/app/conf/key"
    replace() { # as soon as the attack is there
        wait_until 15 test -e "$WORK/.ready" || return
        rm -r "$WHO_HOME/private"
        plant "$WHO_HOME/private/key"
        plant "$WHO_HOME/app.new/conf/key"
        mv "$WHO_HOME/app" "$WHO_HOME/app.old"
        mv "$WHO_HOME/app.new" "$WHO_HOME/app"
        sleep 0.3
        touch "$WORK/.replaced"
    }
    replace 3>&- 4>&- &
}
after() { rm -rf "$WHO_HOME/private" "$WHO_HOME/app" "$WHO_HOME/app.old"; }
launch() { jailed 'deny_read = ~/private' 'deny_read = ~/app*/conf' 'deny_read = ~/app/conf'; }
attack() {
    local try
    : >"$WORK/.ready"
    for try in 1 2 3 4 5 6 7 8 9 10; do
        [ ! -e "$WORK/.replaced" ] || break
        sleep 0.3
    done
    cat ~/private/key ~/app/conf/key >>"$PROOF"
}
success() { holds_secret; }
twin() {
    be bot
    before
    jailed
}
