# The same by clone3(2), whose flags lie in memory, where a filter cannot look.
PROMISE=P4
SOURCE="systemd and runc: clone3 and filters"
attack() { "$TOOL" clone3 user && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered; }
