# The same bits given when the file is made.
PROMISE=P4
SOURCE="set-id bits outlive a nosuid view"
attack() {
    local way
    umask 0
    for way in open creat mkdir mknod openat2; do "$TOOL" setid $way "$WORK/$way"; done
}
success() { find "$WORK" -perm /6000 | grep -q .; }
twin() { unfiltered; }
