# The same where policy lets the host's /tmp in, to see that it is the private one that keeps them
# out.
PROMISE=P2
SOURCE="docs/threat-model.md, private_tmp"
GIVE=(name)
name=sbxt-$RANDOM$RANDOM
after() { rm -f /tmp/$name; }
attack() { echo here >/tmp/$name; }
success() { [ -e /tmp/$name ]; }
twin() { jailed '[jail]' 'private_tmp = no'; }
