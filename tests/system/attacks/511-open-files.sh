# More descriptors than policy has it, after the limit was raised.
PROMISE=P5
SOURCE="RLIMIT_NOFILE"
launch() { jailed '[limits]' 'open_files = 64'; }
attack() {
    ulimit -n 4096
    "$TOOL" files 500 >>"$PROOF"
}
success() { grep -qsx 500 "$PROOF"; }
twin() { jailed; }
