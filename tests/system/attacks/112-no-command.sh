# A connection without a command: sshd's own process of the account serves it.
PROMISE=P1
SOURCE="ways round a login shell: ssh -N"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    client ssh -N "$1"
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
