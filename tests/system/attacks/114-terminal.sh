# A session with a terminal.
PROMISE=P1
SOURCE="ssh -tt"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    client ssh -tt "$1" 'sleep 4'
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
