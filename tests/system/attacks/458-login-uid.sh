# An unset login uid may be set by anybody, once: what is done then is another's in the audit log.
PROMISE=P4
SOURCE="an unset login uid"
attack() { echo 0 >/proc/self/loginuid && echo "now $(cat /proc/self/loginuid)" >"$PROOF"; }
success() { proof; }
twin() { unconfined || :; proof || skip 'the test itself has a login uid'; }
