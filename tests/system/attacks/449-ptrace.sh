# Tracing another process of the account, to work in its name.
PROMISE=P4
SOURCE="classic-jails 5; CVE-2019-13272"
attack() {
    sleep 5 &
    "$TOOL" ptrace $! && echo traced >"$PROOF"
    kill $!
}
success() { proof; }
twin() { unfiltered; }
