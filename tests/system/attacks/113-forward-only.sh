# A connection that is a forwarded port and nothing else.
PROMISE=P1
SOURCE="ways round a login shell: ssh -W"
NEEDS_RUN=no
attack() { :; }
session() { # HOST: something to reach, which the forward keeps open
    local port
    port=$(world_pick_port)
    client ssh "$1" "timeout 5 perl -MIO::Socket::INET -e 'IO::Socket::INET->new(Listen => 1, LocalAddr => q(127.0.0.1:$port))->accept; sleep 5'" &
    sleep 1
    { sleep $((4 * SLOW)); } | client ssh -W "127.0.0.1:$port" "$1"
}
launch() { watched bot; }
success() { seen_outside; }
twin() { watched human; }
