# ~/.ssh/rc: sshd runs it before the command.
PROMISE=P1
SOURCE="ways round a login shell: ~/.ssh/rc ran despite ForceCommand"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    echo 'sleep 3' >"$WHO_HOME/.ssh/rc"
    client ssh "$1" sleep $((1 + SLOW))
}
launch() { watched bot; }
success() { seen_outside; }
after() { rm -f "$WHO_HOME/.ssh/rc"; }
twin() { watched human; }
