# The same where the view is the whole machine.
PROMISE=P2
SOURCE="docs/threat-model.md"
GIVE=(place)
before() {
    place=$HUMAN_HOME/public.txt
    chmod 0755 "$HUMAN_HOME" && echo "$SECRET" >"$place" && chmod 0644 "$place"
}
after() { rm -f "$place"; }
launch() { jailed 'view = whole'; }
attack() { cat "$place" /proc/1/root"$place" >>"$PROOF"; }
success() { holds_secret; }
twin() { unconfined; }
