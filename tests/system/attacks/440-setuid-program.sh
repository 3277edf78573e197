# A set-user-id program of root's that the account finds.
PROMISE=P4
SOURCE="ways round a login shell; every su, sudo and pkexec hole: CVE-2021-4034, CVE-2021-3156"
before() { install -o root -m 4755 /usr/bin/id "$WORK/id"; }
attack() { "$WORK/id" -u >"$PROOF"; }
success() { grep -qx 0 "$PROOF" 2>/dev/null; }
twin() { unconfined; }
