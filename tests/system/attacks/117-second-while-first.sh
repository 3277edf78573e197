# A second login while the first one runs, and one right after it.
PROMISE=P1
SOURCE="docs/threat-model.md"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    client ssh "$1" 'sleep 2' &
    client ssh "$1" 'sleep 2' &
    wait
    client ssh "$1" 'sleep 2'
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
