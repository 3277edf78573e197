# A second sshd for logins without a jail: their shell looks for /run/sbx by that name, so this world's
# lies there, in a mount namespace of its own. Sourced by cases; `bare` logs in through it.
# shellcheck shell=bash
mkdir -p "$ROOT/run/sbx"
BARE_PORT=$(python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
# shellcheck disable=SC2016 # expanded by the inner shell
unshare --mount --propagation private bash -c '
    mount -t tmpfs -o mode=0755 tmpfs /run && mkdir -m 0755 /run/sshd /run/sbx /run/systemd &&
        mount --bind "$ROOT/run/sbx" /run/sbx &&
        exec "$W/bin/$SERVICE" -D -f "$W/sshd/config" -p "$1" -o PidFile=none -E "$W/out/sshd.bare"' \
    bash "$BARE_PORT" >"$W/out/sshd.bare.said" 2>&1 &
BARE_PID=$!
bare_end() {
    kill "$BARE_PID" 2>/dev/null
    wait "$BARE_PID" 2>/dev/null
}
trap bare_end EXIT
echo "[127.0.0.1]:$BARE_PORT $(cut -d' ' -f1,2 "$W/sshd/host_key.pub")" >"$W/out/known.bare"
bare_listens() { (exec 3<>"/dev/tcp/127.0.0.1/$BARE_PORT") 2>/dev/null; }
wait_until 10 bare_listens || fail "the second sshd does not listen: $(cat "$W"/out/sshd.bare*)"

bare() { client ssh -p "$BARE_PORT" -o UserKnownHostsFile="$W/out/known.bare" "${OPTIONS[@]}" bot "$@"; }
OPTIONS=()
# The mount namespace of that sshd, from which nothing without a jail goes away.
bare_view() { readlink "/proc/$BARE_PID/ns/mnt"; }
records() { find "$ROOT/run/sbx/unjailed" -mindepth 1 -type f 2>/dev/null; }
no_records() { [ -z "$(records)" ]; }
