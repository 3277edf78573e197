# The external one, by its subsystem.
PROMISE=P1
SOURCE="ways round a login shell"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    { sleep $((4 * SLOW)); } | client sftp -b - "$1"
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
