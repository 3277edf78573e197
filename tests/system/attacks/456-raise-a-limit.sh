# More open files than the hard limit.
PROMISE=P5
SOURCE="setrlimit(2)"
launch() { jailed '[limits]' 'open_files = 4096'; } # whatever the machine's own bound is
attack() { "$TOOL" raise 7 1000000 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root || :; proof || skip 'root lacks CAP_SYS_RESOURCE here'; }
