# As many processes as one asks for.
PROMISE=P5
SOURCE="fork bomb"
launch() { jailed '[limits]' 'tasks_max = 100'; }
attack() { "$TOOL" fork-bomb 300 >>"$PROOF"; }
success() { [ "$(sort -n "$PROOF" 2>/dev/null | tail -n 1)" -gt 110 ]; } 2>/dev/null
twin() { jailed '[limits]' 'tasks_max = 1000'; }
