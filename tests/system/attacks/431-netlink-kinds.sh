# Netlink beyond routes: netfilter, audit, xfrm, uevents, the process connector.
PROMISE=P4
SOURCE="CVE-2023-32233, CVE-2022-2586 class"
attack() {
    local protocol
    for protocol in 2 4 5 6 9 10 11 12 15 16 18 20 21; do
        "$TOOL" socket 16 3 $protocol 2>/dev/null && echo $protocol >>"$PROOF"
    done
}
success() { proof; }
twin() { unfiltered; }
