# A file of the host by its inode number: no name in the view leads there.
PROMISE=P2
SOURCE="shocker.c (2014), CVE-2014-9357 class"
GIVE=(inode generation)
before() {
    echo "$SECRET" >"$WHO_HOME/outside"
    inode=$(stat -c %i "$WHO_HOME/outside")
    generation=$("$TOOL" generation "$WHO_HOME/outside") || skip "no inode handles on this file system"
    chmod 0600 "$WHO_HOME/outside"
}
after() { rm -f "$WHO_HOME/outside"; }
attack() { "$TOOL" handle "$WORK" "$inode" "$generation" >"$PROOF"; }
success() { holds_secret; }
twin() {
    be bot
    before
    unfiltered root
    rm -f "$WHO_HOME/outside"
}
