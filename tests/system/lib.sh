# What the cases and attacks of the system tests use. Sourced inside a world (world.sh).
# A case is a script: exit 0 passed, 77 skipped (it says why), else failed.
# shellcheck shell=bash
. tests/system/world.sh

# SLOW=N for a machine on which everything may take N times as long, such as an emulated one.
SLOW=${SLOW:-1}

fail() {
    printf 'failed: %s\n' "$*" >&2
    exit 1
}

skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}

same() { # WHAT EXPECTED SEEN
    [ "$2" = "$3" ] || fail "$1: expected '$2', seen '$3'"
}

holds() { # WHAT PATTERN TEXT: an extended regex matches somewhere in the text
    grep -qE -e "$2" <<<"$3" || fail "$1: no match for '$2' in: $3"
}

lacks() { # WHAT PATTERN TEXT
    ! grep -qE -e "$2" <<<"$3" || fail "$1: '$2' must not be in: $3"
}

status_of() { # COMMAND…: prints its exit status, output goes to $W/out/last
    "$@" >"$W/out/last" 2>&1
    echo $?
}

wait_until() { # SECONDS COMMAND…: true as soon as the command is
    local end=$((SECONDS + $1 * SLOW))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.05
    done
}

# --- clients --------------------------------------------------------------------------------------
client() { # PROGRAM ARGUMENTS…: ssh, scp, sftp with the world's configuration
    local program=$1
    shift
    timeout -k 5 $((${LIMIT:-60} * SLOW)) "$program" -F "$W/client/config" "$@"
}

bot() { client ssh bot "$@"; }     # ssh to the confined account
human() { client ssh human "$@"; } # and to the other one

# Runs as the account without PAM, sshd or jail, as a check of the test itself.
as_human() { # COMMAND…
    (cd "$HUMAN_HOME" &&
        setpriv --reuid "$HUMAN_UID" --regid "$HUMAN_UID" --init-groups \
            env -i HOME="$HUMAN_HOME" USER="$HUMAN" LOGNAME="$HUMAN" SHELL=/bin/bash \
            PATH=/usr/local/bin:/usr/bin:/bin "$@")
}

# --- other PAM services ---------------------------------------------------------------------------
with_pam=$PWD/tests/system/with-pam

# A terminal for programs that want one: prints what they show, exits as they do.
with_terminal() { # COMMAND…
    timeout -k 5 $((${LIMIT:-60} * SLOW)) script -qefc "$(printf '%q ' "$@")" /dev/null </dev/null
}

# Without any: no descriptor, no controlling one.
without_terminal() { # COMMAND…
    timeout -k 5 $((${LIMIT:-60} * SLOW)) setsid -w "$@" </dev/null 2>&1 | cat
    return "${PIPESTATUS[0]}"
}

# --- jails ----------------------------------------------------------------------------------------
jail_dir() { echo "$ROOT/run/sbx/jails/${1:-$BOT_UID}"; }
jail_lives() { [ -e "$(jail_dir "$@")" ]; }
jail_gone() { ! jail_lives "$@"; }

jail_names() { # of all that are there
    local dir
    for dir in "$ROOT"/run/sbx/jails/*/; do
        [ ! -d "$dir" ] || basename "$dir"
    done
}

jail_state() { # FIELD: warden_pid, init_pid, sessions, processes
    "$B/sbxctl" jails --root "$ROOT" --json |
        python3 -c 'import json, sys
text = sys.stdin.read()
jails = json.loads(text) if text.strip().startswith("[") else [json.loads(l) for l in text.splitlines()]
jails = [j for j in jails if j["jail"] == sys.argv[1]]
print(jails[0].get(sys.argv[2], jails[0].get(sys.argv[2] + "_pid", "")) if jails else "")' "$BOT_UID" "$1"
}

jails_kill() {
    local name
    for name in $(jail_names); do
        "$B/sbxctl" kill --root "$ROOT" "${name%%~*}" >/dev/null 2>&1
    done
    wait_until 10 no_jail_names
}
no_jail_names() { [ -z "$(jail_names)" ]; }

words_of() { # PID: its command line
    { tr '\0' ' ' <"/proc/$1/cmdline"; } 2>/dev/null
}

# Wardens, clerks, inits of this world: they carry its root on their command line, or are children
# of one that does.
pids_of_world() {
    local file pid
    for file in $(grep -lsaF -e "$ROOT" /proc/[0-9]*/cmdline); do
        pid=${file#/proc/}
        pid=${pid%/cmdline}
        case $(words_of "$pid") in
            sbx-*"$ROOT"*|*/sbx-warden*"$ROOT"*) echo "$pid" ;;
        esac
    done
}

# What a jail must not leave behind. Prints it; nothing printed is good.
leftovers() {
    local pid
    for pid in $(pgrep -U "$BOT_UID") $(pids_of_world); do
        echo "process $pid: $(words_of "$pid")"
    done
    awk -v root="$ROOT/" -v home="$BOT_HOME" \
        'index($5, root) == 1 || index($5, home) == 1 { print "mount " $5 }' /proc/self/mountinfo
    find /sys/fs/cgroup -type d -path "*sbx*" -name "*$BOT_UID*" -printf 'cgroup %p\n' 2>/dev/null
    find "$ROOT/run/sbx/jails" "$ROOT/run/sbx/unjailed" -mindepth 1 -printf 'file %p\n' 2>/dev/null
    find "$ROOT/run/sbx" -mindepth 1 -maxdepth 1 ! -name jails ! -name unjailed ! -name wardens \
        -printf 'file %p\n' 2>/dev/null
}
no_leftovers() { [ -z "$(leftovers)" ]; }

# --- the record -----------------------------------------------------------------------------------
events() { # the lines of one chain: the jail's, or "host"
    cat "$ROOT/var/log/sbx/${1:-$BOT_UID}.jsonl" 2>/dev/null
}

# --- small clients --------------------------------------------------------------------------------
fetch() { # URL: the page, by a program that any machine with Python has
    timeout 20 python3 -c 'import sys, urllib.request
sys.stdout.write(urllib.request.urlopen(sys.argv[1], timeout=15).read().decode().strip())' "$1"
}

fetch_by_socks() { # SOCKS-PORT PORT: /page of 127.0.0.1:PORT through a SOCKS5 proxy
    timeout 20 python3 -c 'import socket, struct, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 15)
s.settimeout(15)
s.sendall(b"\5\1\0"); s.recv(2)
s.sendall(b"\5\1\0\1" + socket.inet_aton("127.0.0.1") + struct.pack("!H", int(sys.argv[2])))
if s.recv(10)[1:2] != b"\0": sys.exit("refused")
s.sendall(b"GET /page HTTP/1.0\r\n\r\n")
data = b""
while True:
    more = s.recv(4096)
    if not more: break
    data += more
sys.stdout.write(data.split(b"\r\n\r\n", 1)[-1].decode().strip())' "$1" "$2"
}
