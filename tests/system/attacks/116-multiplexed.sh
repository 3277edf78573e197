# A second session over the first one's connection.
PROMISE=P1
SOURCE="ways round a login shell: one PAM session, many shells"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    client ssh -o ControlMaster=yes -o ControlPath="$W/out/mux" -N "$1" &
    wait_until 5 test -S "$W/out/mux"
    client ssh -o ControlPath="$W/out/mux" "$1" 'sleep 3'
    client ssh -o ControlPath="$W/out/mux" -O exit "$1"
    wait
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
