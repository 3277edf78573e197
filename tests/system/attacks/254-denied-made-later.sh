# A denied file and a denied directory that are not there when the jail is built, and that the host makes
# while it lives: by a tool of configuration, by root's own hand. One lies below a directory that comes
# later, too.
PROMISE=P2
SOURCE="a mask is on what is there: what was not there has none"
before() {
    make() { # as soon as the attack is there
        wait_until 15 test -e "$WORK/.ready" || return
        plant "$WHO_HOME/token"
        plant "$WHO_HOME/.aws/credentials"
        plant "$WHO_HOME/new/folder/key"
        sleep 0.3
        touch "$WORK/.made"
    }
    make 3>&- 4>&- &
}
after() { rm -rf "$WHO_HOME/token" "$WHO_HOME/.aws" "$WHO_HOME/new"; }
launch() { jailed 'deny_read = ~/token' 'deny_read = ~/new/folder/key'; }
attack() {
    local try
    : >"$WORK/.ready"
    for try in 1 2 3 4 5 6 7 8 9 10; do
        [ ! -e "$WORK/.made" ] || break
        sleep 0.3
    done
    cat ~/token ~/.aws/credentials ~/new/folder/key >>"$PROOF"
}
success() { holds_secret; }
twin() { unconfined; }
