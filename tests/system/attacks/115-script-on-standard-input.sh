# A shell that reads its commands from standard input.
PROMISE=P1
SOURCE="VS Code Remote-SSH"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    echo 'sleep 4' | client ssh -T "$1"
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
