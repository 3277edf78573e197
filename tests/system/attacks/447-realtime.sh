# A real-time process keeps the processor from everybody.
PROMISE=P5
SOURCE="sched(7)"
attack() { "$TOOL" realtime && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root; }
