# A service of root's that listens in the view: a read-only mount does not stop connect.
PROMISE=P2
SOURCE="connect(2) and FIFOs ignore read-only mounts"
GIVE=(socket)
before() {
    socket=$WHO_HOME/service.sock
    serve "$socket"
}
after() { serve_end; rm -f "$socket"; }
attack() { "$TOOL" dial "$socket" >"$PROOF"; }
success() { holds_secret; }
twin() { unconfined; }
