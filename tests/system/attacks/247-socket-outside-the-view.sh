# Services where the view ends: /run, /tmp.
PROMISE=P2
SOURCE="ways round a login shell: D-Bus, docker, containerd, systemd, polkit"
GIVE=(socket)
before() {
    socket=/run/sbxt-$RANDOM.sock
    serve "$socket"
}
after() { serve_end; rm -f "$socket"; }
attack() { "$TOOL" dial "$socket" >"$PROOF"; }
success() { holds_secret; }
twin() { unconfined; }
