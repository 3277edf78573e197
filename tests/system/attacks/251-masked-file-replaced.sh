# A denied file that the host replaces by rename, as editors, passwd and Ansible do, while the jail
# lives.
PROMISE=P2
SOURCE="a mount protects an object, not a name"
before() {
    plant "$WHO_HOME/token"
    replace() { # as soon as the attack is there
        wait_until 15 test -e "$WORK/.ready" || return
        echo "$SECRET" >"$WHO_HOME/.token.new"
        chown "$WHO" "$WHO_HOME/.token.new"
        mv "$WHO_HOME/.token.new" "$WHO_HOME/token"
        touch "$WORK/.replaced"
    }
    replace 3>&- 4>&- &
}
after() { rm -f "$WHO_HOME/token" "$WHO_HOME/.token.new"; }
launch() { jailed 'deny_read = ~/token'; }
attack() {
    local try
    : >"$WORK/.ready"
    for try in 1 2 3 4 5 6 7 8 9 10; do
        [ ! -e "$WORK/.replaced" ] || break
        sleep 0.3
    done
    sleep 0.3
    cat ~/token >>"$PROOF"
}
success() { holds_secret; }
twin() {
    be bot
    before
    jailed
}
