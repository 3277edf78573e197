# Logins while the jail is ended again and again.
PROMISE=P1
SOURCE="docs/threat-model.md; ways round a login shell: joining race"
NEEDS_RUN=no MAY_REFUSE=yes
attack() { :; }
session() { # HOST
    for i in 1 2 3 4 5; do
        client ssh "$1" 'sleep 1' &
        sleep 0.15
        jails_kill
    done
    wait
    [ "$1" = bot ] || client ssh "$1" 'sleep 2'
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
