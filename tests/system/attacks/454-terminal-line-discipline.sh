# Line disciplines: modules are loaded by their number.
PROMISE=P4
SOURCE="CVE-2017-2636 (n_hdlc), CVE-2020-14416 (slip)"
attack() { "$TOOL" terminal setd && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered; }
