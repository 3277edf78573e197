# A subsystem that does not exist, and one with options.
PROMISE=P1
SOURCE="ssh -s"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    { sleep $((3 * SLOW)); } | client ssh -s "$1" sftp-internal &
    client ssh -s "$1" none
    sleep $((3 * SLOW))
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
