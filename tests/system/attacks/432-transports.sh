# Transports beside TCP and UDP: modules are loaded for them, and the filter of the network does
# not see what leaves.
PROMISE=P4
SOURCE="CVE-2017-6074 (DCCP), CVE-2021-23133 (SCTP)"
attack() {
    local protocol
    for protocol in 33 132 136 115 262 256; do
        "$TOOL" socket 2 1 $protocol 2>/dev/null && echo $protocol >>"$PROOF"
        "$TOOL" socket 2 2 $protocol 2>/dev/null && echo $protocol >>"$PROOF"
        "$TOOL" socket 10 1 $protocol 2>/dev/null && echo $protocol >>"$PROOF"
    done
}
success() { proof; }
twin() { unfiltered || :; proof || skip 'this kernel knows no other transport'; }
