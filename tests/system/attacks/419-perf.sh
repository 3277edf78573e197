# perf_event_open: a frequent source of holes, and a view of other processes.
PROMISE=P4
SOURCE="CVE-2013-2094 class"
attack() { "$TOOL" perf && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered || :; proof || skip 'this kernel has no perf events for users'; }
