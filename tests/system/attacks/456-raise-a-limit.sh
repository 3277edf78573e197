# More open files than the hard limit.
PROMISE=P5
SOURCE="setrlimit(2)"
attack() { "$TOOL" raise 7 1000000 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root || :; proof || skip 'root lacks CAP_SYS_RESOURCE here'; }
