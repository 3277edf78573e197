# And /dev/shm.
PROMISE=P5
SOURCE="tmpfs without size"
launch() { jailed '[limits]' 'tmp_size = 2M'; }
attack() { head -c 8M /dev/zero >/dev/shm/fill; stat -c %s /dev/shm/fill >>"$PROOF"; rm -f /dev/shm/fill; }
success() { grep -qsx 8388608 "$PROOF"; }
twin() { jailed '[limits]' 'tmp_size = 64M'; }
