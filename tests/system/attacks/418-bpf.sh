# Code and maps in the kernel.
PROMISE=P4
SOURCE="CVE-2021-3490 class"
attack() { "$TOOL" bpf && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root; }
