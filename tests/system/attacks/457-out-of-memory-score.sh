# Not being the one whom the memory killer picks.
PROMISE=P5
SOURCE="proc(5), oom_score_adj"
attack() { echo -900 >/proc/self/oom_score_adj && echo lowered >"$PROOF"; }
success() { proof; }
twin() { unfiltered root || :; proof || skip 'root lacks CAP_SYS_RESOURCE here'; }
