# What Landlock does not see: mode, times and attributes of a file outside.
PROMISE=P2
SOURCE="Landlock leaves chmod, chown, utime and xattr alone (landlock(7), limitations)"
before() { touch -d 2001-01-01 "$WHO_HOME/victim"; chmod 0644 "$WHO_HOME/victim"; chown "$WHO" "$WHO_HOME/victim"; }
after() { rm -f "$WHO_HOME/victim"; }
attack() {
    chmod 0777 ~/victim
    touch ~/victim
    perl -e 'utime 1, 1, "$ENV{HOME}/victim"; open F, "<", "$ENV{HOME}/victim"; chmod 0777, *F; utime 1, 1, *F'
}
success() { [ "$(stat -c '%a %Y' "$WHO_HOME/victim")" != "644 $(date -d 2001-01-01 +%s)" ]; }
twin() { unconfined; }
