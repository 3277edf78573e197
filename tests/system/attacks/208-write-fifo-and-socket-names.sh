# Not a file but a pipe, a folder, a link, a socket.
PROMISE=P2
SOURCE="mkfifo(1), bind(2)"
after() { rm -rf "$WHO_HOME/outside"; }
attack() {
    mkfifo ~/outside || mkdir ~/outside || ln -s /etc/passwd ~/outside ||
        perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); bind S, pack_sockaddr_un("$ENV{HOME}/outside")'
}
success() { [ -e "$WHO_HOME/outside" ]; }
twin() { unconfined; }
