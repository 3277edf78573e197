# Options, as bash has them, given to the login shell.
PROMISE=P1
SOURCE="ways round a login shell (CVE-2013-6889), 6.12 (CVE-2017-8386)"
NEEDS_RUN=no
GIVE=(shell)
shell=$B/sbxsh
attack() {
    printf 'echo ran >%q\n' "$PROOF" >"$WORK/code"
    local words
    for words in "--rcfile $WORK/code -i" "--init-file $WORK/code -i" "$WORK/code" "-l $WORK/code" "-x $WORK/code" \
        "-s $WORK/code" "--posix $WORK/code" "-o xtrace $WORK/code" "-- $WORK/code" "-lc .$WORK/code"; do
        $shell $words </dev/null
    done
}
success() { proof; }
twin() {
    shell=/bin/bash
    unconfined
}
