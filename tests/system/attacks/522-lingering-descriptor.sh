# A descriptor sent along whose last close makes the receiver stand still for as long as the sender
# likes.
PROMISE=P5
SOURCE="a lingering socket sent by SCM_RIGHTS"
NEEDS_RUN=no
attack() {
    setsid "$TOOL" linger /run/sbx/session/shell.sock </dev/null >/dev/null 2>&1 &
    sleep 1
}
launch() {
    be bot
    prepare
    bot true
    bot "bash $WORK/.attack ssh"
    local start
    start=$(date +%s%N)
    timeout 20 "$B/sbxctl" jails --root "$ROOT" >/dev/null || echo slow >"$PROOF"
    bot true || echo slow >"$PROOF"
    [ $((($(date +%s%N) - start) / 1000000)) -lt 6000 ] || echo slow >"$PROOF"
}
success() { proof; }
twin() { # a receiver that takes what comes
    be human
    timeout 60 python3 -c 'import os, socket, sys, time
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
os.umask(0); s.bind(sys.argv[1]); s.listen(5)
while True:
    c = s.accept()[0]
    try:
        d = socket.recv_fds(c, 64, 4)
        time.sleep(0.5) # the sender lets go first: the last close is ours
        [os.close(f) for f in d[1]]
        c.send(b"ok")
    except OSError: # one that only looked whether it is served
        pass
    c.close()' \
        "$W/out/naive" 3>&- 4>&- &
    local server=$!
    wait_until 5 is_served "$W/out/naive"
    as_human "$TOOL" linger "$W/out/naive" >/dev/null 2>&1 3>&- 4>&- &
    local sender=$!
    sleep 1.5
    timeout 2 python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.connect(sys.argv[1]); s.send(b"hello"); s.recv(8)' "$W/out/naive" || echo slow >"$PROOF"
    kill -KILL $server $sender
}
