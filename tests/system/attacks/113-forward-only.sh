# A connection that is a forwarded port and nothing else.
PROMISE=P1
SOURCE="ways round a login shell: ssh -W"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    { sleep 4; } | client ssh -W "127.0.0.1:$PORT" "$1"
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
