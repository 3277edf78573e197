# Another process's memory by the calls that need no file.
PROMISE=P4
SOURCE="process_vm_writev(2)"
attack() {
    sleep 5 &
    sleep 0.1
    "$TOOL" vm r $! && echo read >"$PROOF"
    "$TOOL" vm w $! && echo written >>"$PROOF"
    kill $!
}
success() { proof; }
twin() { unfiltered; }
