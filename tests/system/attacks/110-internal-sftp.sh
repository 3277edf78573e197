# The file server inside sshd: no shell is asked, so a jail that lives in the shell has no part in
# it.
PROMISE=P1
SOURCE="ways round a login shell"
NEEDS_RUN=no
attack() { :; }
session() { # HOST
    { sleep $((4 * SLOW)); } | client sftp -s sftp-internal -b - "$1"
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
