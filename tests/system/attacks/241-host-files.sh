# World-readable files outside the view: in /var, /srv, /run and the like.
PROMISE=P2
SOURCE="docs/threat-model.md"
GIVE=(W name)
name=sbxt-$RANDOM$RANDOM
before() {
    mkdir -p /srv
    for dir in /srv /run /var/tmp /var/log "$W"; do echo "$SECRET" >"$dir/$name"; done
}
after() { rm -f {/srv,/run,/var/tmp,/var/log,"$W"}/$name; }
attack() { cat {/srv,/run,/var/tmp,/var/log,"$W"}/$name >>"$PROOF"; }
success() { holds_secret; }
twin() { unconfined; }
