# Being traced, the other direction.
PROMISE=P4
SOURCE="seccomp(2): a tracer could change calls, before 4.8"
attack() { "$TOOL" traceme && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered; }
