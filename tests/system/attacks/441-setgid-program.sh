# A set-group-id one, as crontab, chage and utempter are.
PROMISE=P4
SOURCE="ways round a login shell"
before() { install -o root -g shadow -m 2755 /usr/bin/id "$WORK/id"; }
attack() { "$WORK/id" -gn >"$PROOF"; }
success() { grep -qx shadow "$PROOF" 2>/dev/null; }
twin() { unconfined; }
