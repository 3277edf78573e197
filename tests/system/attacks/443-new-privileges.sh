# no_new_privs taken back, and a set-user-id program run then.
PROMISE=P4
SOURCE="prctl(2)"
before() { install -o root -m 4755 /usr/bin/id "$WORK/id"; }
attack() {
    "$TOOL" new-privs && "$WORK/id" -u >"$PROOF"
}
success() { proof; }
twin() { unconfined; }
