# One that root left in the workspace: a backup unpacked there.
PROMISE=P4
SOURCE="nodev"
before() { mknod -m 0666 "$WORK/zero" c 1 5; }
attack() { head -c 4 "$WORK/zero" >"$PROOF"; }
success() { proof; }
twin() { unconfined; }
