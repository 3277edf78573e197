# A socket of the host's, anywhere, where the view is the whole machine.
PROMISE=P2
SOURCE="connect(2) and FIFOs ignore read-only mounts"
GIVE=(socket)
before() {
    socket=/srv/sbxt-$RANDOM.sock
    mkdir -p /srv
    serve "$socket"
}
after() { serve_end; rm -f "$socket"; }
launch() { jailed 'view = whole'; }
attack() { "$TOOL" dial "$socket" >"$PROOF"; }
success() { holds_secret; }
twin() { unconfined; }
