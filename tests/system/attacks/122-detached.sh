# A process that left its session and its terminal behind.
PROMISE=P1
SOURCE="nohup, setsid"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    client ssh "$1" 'setsid nohup sleep 4 </dev/null >/dev/null 2>&1 &'
    sleep 3
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
