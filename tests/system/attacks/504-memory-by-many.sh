# The same by processes that are each below it.
PROMISE=P5
SOURCE="memory hog"
launch() { jailed '[limits]' 'memory_max = 96M'; }
attack() {
    local n
    for n in 1 2 3 4; do "$TOOL" hog 40 >>"$WORK/n-$WALL" & done
    sleep 1.5
    grep -c . "$WORK/n-$WALL" >>"$PROOF" # how many hold it all at this moment
    [ "$(jobs -r | grep -c .)" -lt 4 ] && : >"$PROOF"
    kill $(jobs -p)
}
success() { grep -qsx 4 "$PROOF"; }
twin() { jailed '[limits]' 'memory_max = 1G'; }
