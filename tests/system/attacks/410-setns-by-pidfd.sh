# The same by a pidfd of pid 1.
PROMISE=P4
SOURCE="pidfd_open(2), setns(2)"
attack() { "$TOOL" setns-pid 1 uts && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root; }
