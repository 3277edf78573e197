# The core limit lowered from 1 to 0, where a piped core pattern runs its helper as root on the
# host.
PROMISE=P4
SOURCE="a piped core pattern ignores a limit of 0; CVE-2025-4598 class"
before() { # where root lacks CAP_SYS_RESOURCE
    [ "$(ulimit -Hc)" != 0 ] || (ulimit -Hc 1) 2>/dev/null ||
        skip "sudo left a core limit of 0, and root cannot raise it here"
}
attack() {
    "$TOOL" raise 4 0 && echo setrlimit >"$PROOF"
    "$TOOL" prlimit 4 0 && echo prlimit >>"$PROOF"
}
success() { proof; }
twin() { unfiltered; }
