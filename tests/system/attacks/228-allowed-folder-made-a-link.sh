# One session puts a link in the place of an allow_write folder; the next jail must not mount what it
# names.
PROMISE=P2
SOURCE="CVE-2019-19921, CVE-2023-27561 class: a mount's target swapped before"
before() {
    [ "$WHO" = "$BOT" ] || return 0
    mkdir -p "$WHO_HOME/private" && echo good >"$WHO_HOME/private/file"
    chown -R "$WHO" "$WHO_HOME/private"
    run_as -- ln -s ../private "$WORK/out"
}
after() { rm -rf "$WHO_HOME/private"; }
launch() { jailed 'allow_write = ~/work/out'; }
attack() {
    echo evil >"$WORK/out/file"
    echo evil >~/private/file
}
success() { grep -qs evil "$WHO_HOME/private/file"; }
twin() {
    be bot
    before
    jailed 'allow_write = ~/private'
}
