# Another login shell, by the program for it and by the file.
PROMISE=P1
SOURCE="chsh(1); ways round a login shell"
attack() {
    chsh -s /bin/bash </dev/null
    usermod -s /bin/bash "$(id -un)"
    sed -i "s,sbxsh,bash," /etc/passwd
    echo x >>/etc/passwd
}
success() { [ "$(getent passwd "$WHO" | cut -d: -f7)" != "$shell" ]; }
before() { shell=$(getent passwd "$WHO" | cut -d: -f7); }
twin() { # root's privilege is what is missing
    be bot
    before
    usermod -s /bin/dash "$BOT"
    success && usermod -s "$shell" "$BOT" && shell=changed
}
