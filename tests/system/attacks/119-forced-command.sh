# A key with a command of its own, as for backups.
PROMISE=P1
SOURCE="authorized_keys, command="
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    cp "$W/keys/$WHO" "$W/keys/$WHO.saved"
    printf 'command="sleep 4" %s\n' "$(cat "$W/client/key.pub")" >"$W/keys/$WHO"
    client ssh "$1" anything
}
launch() { watched bot; }
success() { seen_outside; }
after() { [ ! -e "$W/keys/$WHO.saved" ] || mv "$W/keys/$WHO.saved" "$W/keys/$WHO"; }
twin() { watched human; }
