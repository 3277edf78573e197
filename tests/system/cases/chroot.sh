# In a chroot whoever joins a jail would land outside of its view, at the root of the machine: refused,
# with the reason, and doctor says so before.
. tests/system/lib.sh

in_root() { # HOW COMMAND…: below a second place of the root, by chroot or by pivot_root
    local how=$1
    shift
    unshare --mount --propagation private bash -c '
        mount --rbind / "$1" && cd "$1" || exit 99
        if [ "$2" = chroot ]; then
            exec chroot . "${@:3}"
        fi
        mount -t tmpfs none mnt && mkdir mnt/old && pivot_root . mnt/old && exec "${@:3}"
    ' bash "$W/out/root" "$how" "$@"
}
run=("$B/sbxctl" run --root "$ROOT" --account "$BOT")
mkdir -p "$W/out/root"

for view in system whole; do
    printf '[filesystem]\nview = %s\n' $view >"$W/out/view.ini"
    same "$view, in a chroot" 254 \
        "$(status_of in_root chroot "${run[@]}" --policy "$W/out/view.ini" -- /bin/echo inside)"
    lacks "$view, what ran" inside "$(cat "$W/out/last")"
    holds "$view, the reason" 'runs in a chroot' "$(cat "$W/out/last")"
    same "$view, the twin: a root of its own" inside \
        "$(in_root pivot "${run[@]}" --policy "$W/out/view.ini" -- /bin/echo inside 2>&1)"
done
said=$(in_root chroot "$B/sbxctl" doctor --root "$ROOT")
holds "doctor in a chroot" '^unavailable kernel +own-root is missing$' "$said"
holds "and what to do" 'do: .*runs in a chroot.*: use a container' "$said"
lacks "doctor elsewhere" "runs in a chroot" "$(in_root pivot "$B/sbxctl" doctor --root "$ROOT")"
rmdir "$W/out/root"
