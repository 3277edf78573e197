# pid 1 of the jail: all other processes would go with it, those of other sessions too.
PROMISE=P5
SOURCE="docs/threat-model.md: pid 1 with its own uid"
attack() {
    local signal
    for signal in 9 15 2 1 3 6 11 19 10 12; do kill -$signal 1 && echo $signal >>"$PROOF"; done
}
success() { proof; }
twin() { unfiltered root; }
