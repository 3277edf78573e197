# A pipe of root's in the view: a read-only mount does not stop writing to it.
PROMISE=P2
SOURCE="connect(2) and FIFOs ignore read-only mounts: nagios.cmd, initctl"
before() {
    mkfifo -m 0666 "$WHO_HOME/commands" 2>/dev/null
    chmod 0666 "$WHO_HOME/commands"
    timeout 20 cat "$WHO_HOME/commands" >"$W/out/commands" 3>&- 4>&- &
    reader=$!
}
after() { kill "$reader" 2>/dev/null; rm -f "$WHO_HOME/commands"; : >"$W/out/commands"; }
attack() { timeout 2 sh -c 'echo shutdown >~/commands'; }
success() { grep -qs shutdown "$W/out/commands"; }
twin() { unconfined; }
