# Kernel keyrings are shared by uid over all namespaces: a place to leave things, and to find them.
PROMISE=P4
SOURCE="CVE-2016-0728; docker's default profile"
attack() { "$TOOL" keyring && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered; }
