# Watching a file system of the host's.
PROMISE=P4
SOURCE="fanotify(7)"
attack() { "$TOOL" fanotify && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered || :; proof || skip 'no fanotify for users here'; }
