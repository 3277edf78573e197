# The core limit lowered from 1 to 0, where a piped core pattern runs its helper as root on the
# host.
PROMISE=P4
SOURCE="red-team A17; CVE-2025-4598 class"
attack() {
    "$TOOL" raise 4 0 && echo setrlimit >"$PROOF"
    "$TOOL" prlimit 4 0 && echo prlimit >>"$PROOF"
}
success() { proof; }
twin() { unfiltered; }
