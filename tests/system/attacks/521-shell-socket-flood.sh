# Hundreds of connections that say nothing or nonsense: whoever serves the account must stay there
# for others.
PROMISE=P5
SOURCE="a lingering socket sent by SCM_RIGHTS, docs/threat-model.md: the clerk may hang"
NEEDS_RUN=no
# The measure: how long a new session of the account's takes, or for the twin a server that reads
# each connection until it has said something.
attack() { "$TOOL" flood /run/sbx/session/shell.sock 400; }
launch() {
    be bot
    prepare
    bot true
    bot "bash $WORK/.attack ssh" &
    local flood=$! start
    sleep 0.7
    start=$(date +%s%N)
    timeout 20 "$B/sbxctl" jails --root "$ROOT" >/dev/null || echo slow >"$PROOF"
    bot 'cat /etc/shadow; true' >/dev/null 2>&1
    [ $((($(date +%s%N) - start) / 1000000)) -lt 8000 ] || echo slow >"$PROOF"
    wait $flood
}
success() { proof; }
twin() {
    be human
    timeout 30 python3 -c 'import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
os.umask(0); s.bind(sys.argv[1]); s.listen(500)
while True: c = s.accept()[0]; c.recv(64); c.send(b"ok"); c.close()' "$W/out/naive" 3>&- 4>&- &
    local server=$!
    wait_until 5 is_served "$W/out/naive"
    as_human "$TOOL" flood "$W/out/naive" 400 &
    local flood=$!
    sleep 0.7
    timeout 1 python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.connect(sys.argv[1]); s.send(b"hello"); s.recv(8)' "$W/out/naive" || echo slow >"$PROOF"
    kill $flood $server
    wait $flood
}
