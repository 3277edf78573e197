# su by root, with the login shell and with another.
PROMISE=P1
SOURCE="ways round a login shell"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    if [ "$1" = bot ]; then
        without_terminal "$with_pam" su - "$WHO" -c 'sleep 2' &
        without_terminal "$with_pam" su -s /bin/sh "$WHO" -c 'sleep 2'
    else
        setpriv --reuid "$WHO_UID" --regid "$WHO_UID" --clear-groups sleep 3
    fi
    wait
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
