# A service on an abstract name, which knows no files.
PROMISE=P2
SOURCE="CVE-2020-15257 (containerd-shim)"
GIVE=(socket)
before() {
    socket=@sbxt-$RANDOM
    serve "$socket"
}
after() { serve_end; }
attack() { "$TOOL" dial "$socket" >"$PROOF"; }
success() { holds_secret; }
twin() { unconfined; }
