# A descriptor out of another process's table.
PROMISE=P4
SOURCE="pidfd_getfd(2)"
attack() {
    sleep 5 &
    "$TOOL" getfd $! 1 && echo got >"$PROOF"
    kill $!
}
success() { proof; }
twin() { unfiltered; }
