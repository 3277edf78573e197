# chmod 4755 of one's own file means nothing in a nosuid view, but on the host the file is a real
# set-id program for other accounts.
PROMISE=P4
SOURCE="set-id bits outlive a nosuid view"
attack() {
    local way
    for way in chmod fchmod fchmodat2 high; do
        : >"$WORK/$way"
        "$TOOL" setid $way "$WORK/$way"
    done
    chmod u+s "$WORK/chmod"
    chmod g+s "$WORK/fchmod"
}
success() { find "$WORK" -perm /6000 | grep -q .; }
twin() { unfiltered; }
