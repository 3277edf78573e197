# The private /tmp filled: it is memory.
PROMISE=P5
SOURCE="tmpfs without size"
launch() { jailed '[limits]' 'tmp_size = 2M'; }
attack() { head -c 8M /dev/zero >/tmp/fill; stat -c %s /tmp/fill >>"$PROOF"; rm -f /tmp/fill; }
success() { grep -qsx 8388608 "$PROOF"; }
twin() { jailed '[limits]' 'tmp_size = 64M'; }
