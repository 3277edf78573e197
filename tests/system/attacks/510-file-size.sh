# A file in the workspace larger than policy has it.
PROMISE=P5
SOURCE="setrlimit(2), RLIMIT_FSIZE"
launch() { jailed '[limits]' 'file_size = 1M'; }
attack() {
    "$TOOL" raise 1 1000000000
    head -c 4M /dev/zero >"$WORK/big"
    truncate -s 4M "$WORK/big2"
    fallocate -l 4M "$WORK/big3"
}
success() { find "$WORK" -name 'big*' -size +2M | grep -q .; }
twin() { jailed; }
