# A program with file capabilities that the account finds.
PROMISE=P4
SOURCE="ways round a login shell: ping, dumpcap, newuidmap"
before() { install -o root -m 0755 "$TOOL" "$WORK/tool" && "$TOOL" filecap "$WORK/tool"; }
attack() { "$WORK/tool" socket 2 3 1 && echo raw >"$PROOF"; }
success() { proof; }
twin() { unconfined; }
