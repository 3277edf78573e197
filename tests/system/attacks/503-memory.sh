# More memory than the limit, touched.
PROMISE=P5
SOURCE="memory hog"
launch() { jailed '[limits]' 'memory_max = 64M'; }
attack() { "$TOOL" memory 150 >>"$PROOF"; }
success() { proof; }
twin() { jailed '[limits]' 'memory_max = 1G'; }
