# Tracing another process of the account, to work in its name.
PROMISE=P4
SOURCE="ways round a login shell; CVE-2019-13272"
attack() {
    sleep 5 &
    "$TOOL" ptrace $! && echo traced >"$PROOF"
    kill $!
}
success() { proof; }
twin() { unfiltered; }
