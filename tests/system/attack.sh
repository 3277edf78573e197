#!/bin/bash
# Runs one attack file (attacks/NNN-NAME.sh) inside a world: first for real, where it must fail, then
# its twin with that one protection off, where it must succeed. An attack whose twin fails is none.
#
# A file sets PROMISE (P1 …), SOURCE (where the idea is from) and defines
#   attack    what the account runs. Its text goes into a script of its own, so it knows only $WORK
#             $PROOF $TOOL $WALL $HOME, the names in the array GIVE, and what is inside
#   success   seen from outside as root: did it work?
#   twin      the same with the protection off; one of the launchers below
# and may define
#   before    run as root before each of the two; after: when it is over
#   launch    how the attack is run for real (jailed)
#   OPEN=REASON    it still works, and why: skipped, until it does not
#   NEEDS_RUN=no   the attack need not have started: being refused entry is what is tested
#   MAY_REFUSE=yes sshd's own child of a refused session, which starts and forwards nothing and has
#                  seconds to say so (case refused-session), is not the account outside
#
# Launchers:
#   jailed [POLICY LINES]      in a jail of its own, under both walls: bare (as cron and sudo get it)
#                              and sealed (by sbxsh). With lines: under a policy that has them too
#   by_ssh [POLICY LINES]      through a real login
#   unconfined                 the other account, which is not confined, on the host
#   watched bot|human          the attack's session(), a way in: is the account on the host meanwhile?
#   unfiltered [plain|keep|root]   inside the jail's namespaces without no_new_privs and filters: as the
#                              account; with its bounding set kept; as root with all capabilities
# An attack's own launcher calls these, or prepare and anything else.
set -u
. tests/system/lib.sh
exec 3>&1 4>&2 # the launchers' output goes to files
skip() {
    after
    clean
    printf 'skipped: %s\n' "$*" >&3
    exit 77
}
fail() {
    after
    clean
    printf 'failed: %s\n' "$*" >&4
    kill -0 "$SSHD_PID" && [ -d /run/sshd ] || echo "and sshd of this world cannot work any more" >&4
    exit 1
}

GIVE=() NEEDS_RUN=yes MAY_REFUSE=no LAUNCHED=''
TOOL=$B/attack
file=$1
before() { :; }
after() { :; }
launch() { jailed; }

# shellcheck disable=SC2034 # attacks use it
be() { # bot|human: whose files are meant from now on
    case $1 in
    bot) WHO=$BOT WHO_UID=$BOT_UID WHO_HOME=$BOT_HOME ;;
    human) WHO=$HUMAN WHO_UID=$HUMAN_UID WHO_HOME=$HUMAN_HOME ;;
    esac
    WORK=$WHO_HOME/work PROOF=$WHO_HOME/work/proof
}

# Writes the attack's script into the workspace of whom it is run as.
prepare() {
    local given
    {
        for given in WORK PROOF TOOL BOT HUMAN "${GIVE[@]}"; do
            printf '%s=%q\n' "$given" "${!given}"
        done
        # shellcheck disable=SC2016 # for the script
        printf 'WALL=${1:-none}\ncd "$WORK"\n: >"$WORK/.ran-$WALL"\n'
        declare -f attack
        echo attack
    } >"$WORK/.attack"
    chmod 0755 "$WORK/.attack"
}

run_as() { "$B/sbxctl" run --root "$ROOT" --account "$BOT" "$@"; }

jailed() { # [POLICY LINES]
    be bot
    [ $# -eq 0 ] || world_policy "$@"
    prepare
    LAUNCHED='bare sealed'
    run_as -- /bin/bash -c "
        timeout -k 2 20 /bin/bash '$WORK/.attack' bare
        exec timeout -k 2 20 '$B/sbxsh' -c 'bash $WORK/.attack sealed'"
}

by_ssh() { # [POLICY LINES]
    be bot
    [ $# -eq 0 ] || world_policy "$@"
    prepare
    LAUNCHED=ssh
    bot "bash $WORK/.attack ssh"
}

unconfined() {
    be human
    prepare
    as_human timeout -k 2 20 bash "$WORK/.attack" none
}

# Runs the attack's `session HOST` and looks again and again whether something of the account's is in
# the host's view meanwhile; seen_outside tells.
watched() { # bot|human
    local session try n was=''
    be "$1"
    rm -f "$W/out/outside"
    session "$1" </dev/null >"$W/out/session" 2>&1 3>&- 4>&- &
    session=$!
    for n in $(seq $((120 * SLOW))); do # until it is over
        [ -n "$(jobs -rp)" ] || break
        [ -n "$was" ] || was=$(pgrep -U "$WHO_UID")
        ! is_outside || { sleep 0.3; ! is_outside || touch "$W/out/outside"; } # not in the midst of joining
        [ ! -e "$W/out/outside" ] || break
        sleep 0.05
    done
    for try in $(jobs -rp); do # a number that ended may be another process by now
        kill $(pgrep -P "$try") "$try" 2>/dev/null
    done
    wait "$session"
    [ -n "$was" ] || seen_outside || fail "there never was a session: $(cat "$W/out/session")"
    for try in $(pgrep -U "$HUMAN_UID"); do kill "$try" 2>/dev/null; done
}

is_outside() {
    local pid
    for pid in $(pgrep -U "$WHO_UID"); do
        if [ "$MAY_REFUSE" = yes ] && [[ $(readlink "/proc/$pid/exe") == */sshd* ]]; then continue; fi
        [ "$(readlink "/proc/$pid/ns/mnt")" != "$(readlink /proc/self/ns/mnt)" ] || return 0
    done
    return 1
}
seen_outside() { [ -e "$W/out/outside" ]; }

# A live jail, for what is done to it from outside. $INSIDE is a process of the account in it.
hold_jail() {
    "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- sleep 60 </dev/null >/dev/null 2>&1 3>&- 4>&- &
    HOLDER=$!
    wait_until 10 find_inside || fail "no jail to try the twin in"
}
find_inside() { INSIDE=$(pgrep -n -x -U "$BOT_UID" sleep); }
release_jail() {
    [ -z "${HOLDER:-}" ] || { kill "$HOLDER" && wait "$HOLDER"; } 2>/dev/null
    HOLDER=''
}

enter_groups() { # PID: the caller's shell moves into its control groups
    local hierarchy controllers path
    while IFS=: read -r hierarchy controllers path; do
        case $path in *sbx*) ;; *) continue ;; esac
        for dir in "/sys/fs/cgroup/${controllers#name=}" /sys/fs/cgroup/unified /sys/fs/cgroup; do
            [ -w "$dir$path/cgroup.procs" ] && echo "$BASHPID" >"$dir$path/cgroup.procs" && break
        done
    done <"/proc/$1/cgroup"
    : "$hierarchy"
}

unfiltered() { # [plain|keep|root]
    local privileges=(--reuid "$BOT_UID" --regid "$BOT_UID" --init-groups)
    case ${1:-plain} in
    plain) privileges+=(--inh-caps=-all --bounding-set=-all) ;;
    root) privileges=() ;;
    esac
    be bot
    prepare
    hold_jail
    (
        enter_groups "$INSIDE"
        exec timeout -k 2 20 nsenter --target "$INSIDE" --mount --uts --ipc --net --pid --cgroup \
            setpriv "${privileges[@]}" env -i HOME="$BOT_HOME" PATH=/usr/local/bin:/usr/bin:/bin:/sbin \
            /bin/bash "$WORK/.attack" none
    )
    release_jail
}

# A service of root's on a path or @abstract name that tells everybody the secret.
serve() { # PATH|@NAME
    timeout 60 python3 -c 'import os, socket, sys
path = sys.argv[1]
if path[0] != "@" and os.path.exists(path): os.unlink(path)
s = socket.socket(socket.AF_UNIX)
os.umask(0)
s.bind("\0" + path[1:] if path[0] == "@" else path)
s.listen(8)
while True:
    c = s.accept()[0]
    try: c.sendall((sys.argv[2] + "\n").encode())
    except OSError: pass
    c.close()' "$1" "$SECRET" 3>&- 4>&- &
    SERVICE_PID=$!
    wait_until 5 is_served "$1"
}
is_served() { grep -q -e " 00010000 .* $1\$" /proc/net/unix; } # it listens
serve_end() { kill "$SERVICE_PID" 2>/dev/null; }

# --- how success is seen --------------------------------------------------------------------------
proof() { [ -s "$PROOF" ]; }                      # the attack could write what shows it
holds_secret() { grep -qsF "$SECRET" "$PROOF"; } # and that is the secret

SECRET=secret-$RANDOM$RANDOM$RANDOM
# A file with the secret that file modes alone would let its account read.
plant() { # PATH
    mkdir -p "${1%/*}"
    echo "$SECRET" >"$1"
    chown "$WHO:$WHO" "$1"
}

clean() {
    local home
    release_jail
    for home in "$BOT_HOME" "$HUMAN_HOME"; do
        find "$home/work" "$home/.cache" -mindepth 1 -delete 2>/dev/null
    done
    world_policy
}

. "$file"
case ${PROMISE:-} in P1 | P2 | P4 | P5 | P11) ;; *) fail "$file: no PROMISE" ;; esac
[ -n "${SOURCE:-}" ] || fail "$file: no SOURCE"
[ -x "$TOOL" ] || fail "build/attack is missing: make build/attack"
trap release_jail EXIT

be bot
clean
before
launch </dev/null >"$W/out/attack" 2>&1
if success; then
    [ -z "${OPEN:-}" ] || skip "not closed yet: $OPEN"
    sed 's/^/| /' "$W/out/attack" "$PROOF" 2>/dev/null
    fail "$PROMISE is broken: the attack succeeded"
fi
if [ "$NEEDS_RUN" = yes ]; then
    for wall in ${LAUNCHED:-bare}; do
        [ -e "$WORK/.ran-$wall" ] && continue
        sed 's/^/| /' "$W/out/attack"
        fail "the attack never ran ($wall)"
    done
fi
[ -z "${OPEN:-}" ] || fail "the attack does not work any more: take OPEN out"
after
clean
jails_kill

be human
before
twin </dev/null >"$W/out/twin" 2>&1
if ! success; then
    sed 's/^/| /' "$W/out/twin"
    fail "the twin failed too: this is no attack"
fi
after
clean
