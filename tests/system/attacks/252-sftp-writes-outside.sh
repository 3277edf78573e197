# The file server inside sshd: no login shell has been asked.
PROMISE=P2
SOURCE="ways round a login shell: internal-sftp starts no shell"
NEEDS_RUN=no
after() { rm -f "$WHO_HOME/outside" "$WHO_HOME/outside2"; }
put() { # ACCOUNT
    echo here >"$W/out/file"
    printf -- '-put %s %s\n-put %s %s\n-symlink %s %s\n-rename %s %s\n' "$W/out/file" "$WHO_HOME/outside" \
        "$W/out/file" "$WHO_HOME/work/x" "$WHO_HOME" "$WHO_HOME/work/l" \
        "$WHO_HOME/work/x" "$WHO_HOME/outside2" >"$W/out/batch"
    client sftp -s sftp-internal -b "$W/out/batch" "$1"
}
attack() { :; }
launch() {
    be bot
    put bot
}
success() { [ -e "$WHO_HOME/outside" ] || [ -e "$WHO_HOME/outside2" ]; }
twin() {
    be human
    put human
}
