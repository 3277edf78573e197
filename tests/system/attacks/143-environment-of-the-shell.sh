# The shell's own start poisoned from inside, by a tool that calls $SHELL.
PROMISE=P1
SOURCE="ways round a login shell"
GIVE=(shell)
shell=$B/sbxsh
attack() {
    printf 'touch %q\n' "$PROOF.made" >"$WORK/code"
    BASH_ENV=$WORK/code ENV=$WORK/code PROMPT_COMMAND=". $WORK/code" $shell -c true
    env 'BASH_FUNC_true%%=() { . ~/work/code; }' $shell -c true
    env SHELLOPTS=xtrace "PS4=\$(. $WORK/code)" $shell -c true
    [ -e "$PROOF.made" ] && echo ran >"$PROOF"
}
success() { proof; }
twin() {
    shell=/bin/bash
    unconfined
}
