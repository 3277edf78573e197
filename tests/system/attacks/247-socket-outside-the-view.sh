# Services where the view ends: /run, /tmp.
PROMISE=P2
SOURCE="classic-jails 5: D-Bus, docker, containerd, systemd, polkit"
GIVE=(socket)
before() {
    socket=/run/sbxt-$RANDOM.sock
    serve "$socket"
}
after() { serve_end; rm -f "$socket"; }
attack() { "$TOOL" dial "$socket" >"$PROOF"; }
success() { holds_secret; }
twin() { unconfined; }
