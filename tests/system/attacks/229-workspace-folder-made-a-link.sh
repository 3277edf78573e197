# The same with a denied folder: the link leads the mask elsewhere, and what it hid is open.
PROMISE=P2
SOURCE="CVE-2021-30465"
before() {
    mkdir -p "$WORK/safe" && plant "$WORK/safe/secret" && chown -R "$WHO" "$WORK/safe"
    mkdir "$WORK/decoy" && chown "$WHO" "$WORK/decoy"
}
NEEDS_RUN=no # refusing the jail is as good
launch() {
    world_policy 'deny_read = ~/work/safe'
    run_as -- /bin/bash -c "cd '$WORK' && mv safe kept; ln -s decoy safe"
    jailed 'deny_read = ~/work/safe'
}
attack() { cat "$WORK"/kept/secret "$WORK"/safe/secret >"$PROOF"; }
success() { holds_secret; }
twin() {
    be bot
    before
    run_as -- /bin/bash -c "cd '$WORK' && mv safe kept; ln -s decoy safe"
    jailed
}
