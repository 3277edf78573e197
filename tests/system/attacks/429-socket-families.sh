# Every socket family beyond the four that programs need: each loads and opens kernel code;
# AF_VSOCK even talks to the hypervisor.
PROMISE=P4
SOURCE="CVE-2017-7308, CVE-2016-8655, CVE-2023-0179; no login shell, no second filter"
attack() {
    local family type
    for family in 3 4 5 6 7 8 9 11 12 15 17 18 21 23 24 26 27 29 30 31 34 35 36 37 38 39 40 41 42 43 44 45; do
        for type in 1 2 3 5; do
            "$TOOL" socket $family $type 0 2>/dev/null && echo $family/$type >>"$PROOF"
        done
    done
}
success() { proof; }
twin() { unfiltered root; }
