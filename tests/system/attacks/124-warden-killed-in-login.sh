# Logins while wardens are killed: refused, or in a jail.
PROMISE=P1
SOURCE="promise P1"
NEEDS_RUN=no MAY_REFUSE=yes
attack() { :; }
session() { # HOST
    for i in 1 2 3 4; do
        client ssh "$1" 'sleep 1' &
        sleep 0.2
        for pid in $(pids_of_world); do kill -KILL "$pid"; done
    done
    wait
    client ssh "$1" 'sleep 1' # after a kill in the midst of building the next login cleans up
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
