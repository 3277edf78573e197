# A throw-away copy of this machine's root to install packages into: an overlay whose changes lie on
# a tmpfs, in a mount namespace of its own. Source it; needs root.
# shellcheck shell=bash

# throwaway_root COMMAND…: runs it in the copy, where the tree of sbx has its usual path. What it
# changes is gone when it ends. The real root is at /run/throwaway/old, the changes at
# /run/throwaway/upper, for changes_left.
throwaway_root() {
    local top status
    top=$(mktemp -d) || return 1
    unshare --mount --propagation private bash -euc '
        top=$1
        shift
        here=$PWD
        mount -t tmpfs -o mode=0755 tmpfs "$top"
        mkdir "$top/upper" "$top/work" "$top/root"
        mount -t overlay -o "lowerdir=/,upperdir=$top/upper,workdir=$top/work" overlay "$top/root"
        cd "$top/root"
        mount --rbind /proc proc
        mount --rbind /dev dev
        mount --rbind /sys sys
        mount -t tmpfs -o mode=0755 tmpfs run
        mount -t tmpfs -o mode=1777 tmpfs tmp
        mkdir -p run/throwaway/old run/throwaway/upper
        mount --bind "$top/upper" run/throwaway/upper
        # Accounts as they are now, without the lock of whoever changes the machine meanwhile.
        mkdir -p run/throwaway/before/etc
        for file in etc/passwd etc/group etc/shadow etc/gshadow etc/subuid etc/subgid; do
            rm -f "$file.lock"
            [ -e "$file" ] || continue
            cp -a "$file" run/throwaway/before/etc/
            rm "$file"
            cp -a "run/throwaway/before/$file" "$file"
        done
        # The tree itself, wherever it lies, also below a folder that was just covered.
        mkdir -p ".$here"
        mount --bind "$here" ".$here"
        pivot_root . run/throwaway/old
        cd "$here"
        exec "$@"
    ' bash "$top" "$@"
    status=$?
    rmdir "$top" 2>/dev/null
    return $status
}

# install_here: in the throw-away root, sbx as `make install` has it, with its users, wired to nothing yet.
install_here() {
    local user
    make -s install DESTDIR=/ || return
    groupadd -f sbx-operators
    for user in sbx-clerk sbx-init; do
        id $user >/dev/null 2>&1 || useradd -r -M -s /usr/sbin/nologin $user || return
    done
}

# What package managers and the tools they call keep about themselves. System users get no subordinate ids.
housekeeping='^/(var/lib/(dpkg|rpm|apt|ucf|systemd/deb-systemd-.*-enabled)|var/cache|var/log/(dpkg|alternatives)\.log|var/log/(apt|lastlog|faillog)|root/\.rpmdb|etc/(passwd|group|shadow|gshadow)-|etc/sub[ug]id-?|etc/(\.pwd|passwd|group|shadow|gshadow|subuid|subgid)\.lock|tmp|run)(/|$)'

# changes_left: in the throw-away root, every difference to the real one, one a line; none: no trace.
changes_left() {
    local upper=/run/throwaway/upper old path
    find $upper -mindepth 1 -printf '/%P\n' | grep -vE "$housekeeping" | LC_ALL=C sort |
        while IFS= read -r path; do
            old=/run/throwaway/before
            [ -e "$old$path" ] && [ ! -d "$old$path" ] || old=/run/throwaway/old
            if [ -c "$upper$path" ]; then
                # A name that was made and removed again leaves a mark in an overlay, too.
                [ ! -e "$old$path" ] || echo "gone: $path"
            elif [ ! -e "$old$path" ] && [ ! -L "$old$path" ]; then
                echo "new: $path"
            elif [ "$(stat -c '%F %a %u %g' "$upper$path")" != "$(stat -c '%F %a %u %g' "$old$path")" ]; then
                echo "mode or owner: $path"
            elif [ -f "$upper$path" ] && ! cmp -s "$upper$path" "$old$path"; then
                echo "content: $path: $(diff "$old$path" "$upper$path" | sed -n 2p)"
            fi
        done
}

# make_account NAME SHELL: with a number that no account of the machine itself will get meanwhile:
# processes in the copy are the machine's own, and another jail's warden may look for strays there.
make_account() {
    useradd -m -K UID_MIN=57000 -K UID_MAX=57999 -K GID_MIN=57000 -K GID_MAX=57999 -s "$2" "$1"
    install -d -o "$1" -g "$1" "/home/$1/work"
}
