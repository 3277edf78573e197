# The seal: Landlock envelope and allow list are in force in every session, with sbxsh and without, once.
. tests/system/lib.sh

without_shell() { "$B/sbxctl" run --account "$BOT" --root "$ROOT" -- "$@"; }
probe='import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(0x53425853, 0, 0, 0, 0)
print("seal", ctypes.get_errno())
libc.syscall(440, -1, None, 0, 0, 1)
print("unknown", ctypes.get_errno())
import socket
try:
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    print("pair made")
except OSError as e:
    print("pair", e.errno)'
echo "$probe" >"$BOT_HOME/work/probe.py"
chmod 0644 "$BOT_HOME/work/probe.py"
same "sealed" $'seal 133\nunknown 38\npair 1' "$(bot 'python3 probe.py')"
same "without sbxsh" $'seal 133\nunknown 38\npair 1' "$(without_shell python3 "$BOT_HOME/work/probe.py")"
same "the twin, in no jail" $'seal 22\nunknown 22\npair made' "$(human "python3 -" <"$BOT_HOME/work/probe.py")"

filters() { sed -n 's/^Seccomp_filters:[[:space:]]*//p'; }
once=$(bot 'cat /proc/self/status' | filters)
twice=$(bot '$SHELL -c "\$SHELL -c \"cat /proc/self/status\""' | filters)
same "nested shells add no filter" "$once" "$twice"
same "sbxsh adds no filter" "$once" "$(without_shell cat /proc/self/status | filters)"
same "deny list, its logged part, allow list" 3 "$once"

# Landlock, shown where no mount forbids anything: the envelope of a jail that is kept is narrowed.
bot 'mkdir -p kept'
write="echo y >$BOT_HOME/work/kept/file"
by_su() { without_terminal "$with_pam" su -s /bin/bash "$BOT" -c "$1" </dev/null; }
same "the twin" '' "$(by_su "$write" 2>&1)"
printf '/tmp\n/dev\n/proc\n' >"$(jail_dir)/session/landlock"
holds "the envelope, with sbxsh" 'Permission denied' "$(bot "$write" 2>&1)"
holds "the envelope, without" 'Permission denied' "$(by_su "$write" 2>&1)"
jails_kill

# A nested shell stays where it was called and keeps what its caller has set.
same "nested" "$BOT_HOME/work/deep V=1" "$(bot 'mkdir -p deep; cd deep; V=1 $SHELL -c "echo \$PWD V=\$V"')"

# What tells a nested shell is taken off those who come with it, and given by the first shell.
mark=21336
same "a session of the shell" $mark "$(bot 'ulimit -S -x')"
same "one that begins with the mark" unlimited "$(ulimit -S -x $mark && without_shell bash -c 'ulimit -S -x')"
same "and cannot be without it" $((mark - 1)) \
    "$(ulimit -x $mark && "$B/sbxctl" run --account "$BOT" --root "$ROOT" -- bash -c 'ulimit -S -x')"

# The account cannot look into the shell, nor take it over: its program cannot be read.
if [ "$(stat -c %a "$B/sbxsh")" = 711 ]; then
    holds "the shell's memory" 'Permission denied' "$(printf 'head -c1 /proc/$PPID/mem\n' | client ssh -T bot 2>&1)"
fi
# What a child writes to bash's open files, its standard streams apart, reaches no parser.
touch "$BOT_HOME/.hushlogin"
seen=$(printf '%s\n' 'sh -c '\''for f in /proc/$PPID/fd/*; do case ${f##*/} in [012]) continue;; esac
[ $f -ef /dev/stdin ] || echo "echo INJECTED" >$f; done'\'' 2>/dev/null' 'echo done' |
    client ssh -T bot 2>/dev/null)
rm -f "$BOT_HOME/.hushlogin"
holds "goes on" '^done$' "$seen"
lacks "something injected" '^INJECTED$' "$seen"
