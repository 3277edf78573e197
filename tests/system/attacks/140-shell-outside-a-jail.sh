# The login shell started outside a jail, as by a service without pam_sbx: it must not run a thing.
PROMISE=P1
SOURCE="docs/threat-model.md; firejail: 'existing sandbox was detected'"
NEEDS_RUN=no
attack() { :; }
start() { # UID SHELL
    be "$1"
    setpriv --reuid "$WHO_UID" --regid "$WHO_UID" --init-groups \
        env -i HOME="$WHO_HOME" USER="$WHO" SBX_JAIL="$BOT_UID" "$2" -c "echo ran >$PROOF"
    echo "echo ran >$PROOF" | setpriv --reuid "$WHO_UID" --regid "$WHO_UID" --init-groups env -i "$2"
}
launch() { start bot "$B/sbxsh"; }
success() { proof; }
twin() { start human /bin/bash; }
