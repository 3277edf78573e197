# Copies to the account's start-up files.
PROMISE=P2
SOURCE="rssh, scponly; CVE-2019-6111 class"
NEEDS_RUN=no
after() { rm -f "$WHO_HOME/outside1" "$WHO_HOME/outside2" "$WHO_HOME/outside3"; }
put() { # HOST
    echo here >"$W/out/file"
    client scp "$W/out/file" "$1:outside1"
    client scp -O "$W/out/file" "$1:outside2"
    ! command -v rsync >/dev/null || timeout 30 rsync -e "ssh -F $W/client/config" "$W/out/file" "$1:outside3"
}
attack() { :; }
launch() {
    be bot
    put bot
}
success() { [ -e "$WHO_HOME/outside1" ] || [ -e "$WHO_HOME/outside2" ] || [ -e "$WHO_HOME/outside3" ]; }
twin() {
    be human
    put human
}
