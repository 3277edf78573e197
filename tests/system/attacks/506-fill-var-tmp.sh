# /var/tmp too.
PROMISE=P5
SOURCE="tmpfs without size"
launch() { jailed '[limits]' 'tmp_size = 2M'; }
attack() { head -c 8M /dev/zero >/var/tmp/fill; stat -c %s /var/tmp/fill >>"$PROOF"; rm -f /var/tmp/fill; }
success() { grep -qsx 8388608 "$PROOF"; }
twin() { jailed '[limits]' 'tmp_size = 64M'; }
