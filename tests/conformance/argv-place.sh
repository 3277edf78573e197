# The place where argvrun runs texts: bash, its libraries, a hook that starts nothing, and no other program;
# a root of its own that is read-only but for /home, /tmp and /log, no network, an account of its own.
# For argv.sh; needs $build and $work.
# shellcheck shell=bash disable=SC2154

argv_uid=64123 # no account: the bound on processes counts for it alone

place_usable() { # says why not
    local tool
    for tool in bwrap setpriv; do
        command -v $tool >/dev/null || { echo "no $tool"; return 1; }
    done
    [ "$(id -u)" = 0 ] || { echo "not root"; return 1; }
    setpriv --reuid $argv_uid --regid $argv_uid --clear-groups \
        bwrap --unshare-all --ro-bind / / --as-pid-1 /bin/true 2>/dev/null ||
        { echo "no namespaces for an ordinary account"; return 1; }
}

place_make() { # < names of programs that are found, one a line
    local lib name place=$work/place
    mkdir -p "$place"/{bin,etc,proc,dev,home,tmp,log} || return 1
    chmod 0755 "$work" "$place"
    cp /bin/bash "$place/bin/bash"
    cp "$build/argvrun" "$build/argvhook.so" "$place/"
    ldd /bin/bash "$build/argvrun" | grep -oE '/[^ ]+\.so[^ ]*' | sort -u |
        while IFS= read -r lib; do install -D "$lib" "$place$lib"; done
    echo /argvhook.so >"$place/etc/ld.so.preload"
    printf '%s\n' 'root:x:0:0:root:/root:/bin/bash' 'agent:x:1000:1000::/home/agent:/bin/bash' >"$place/etc/passwd"
    grep -xE '[][A-Za-z0-9_.+:@%,=-]{1,60}' | sort -u | while IFS= read -r name; do
        case $name in . | .. | bash) ;; *) : >"$place/bin/$name" ;; esac
    done
    chmod -R a+rX,a-w "$place"
    chmod -R a+x "$place/bin"
}

place_run() { # [fails] < texts, NUL-ended; records on stdout
    local place=$work/place
    env -i setpriv --reuid $argv_uid --regid $argv_uid --clear-groups --no-new-privs \
        bwrap --unshare-all --as-pid-1 --die-with-parent --new-session --cap-drop ALL \
        --ro-bind "$place" / --dev /dev --proc /proc \
        --size 16777216 --tmpfs /home --size 16777216 --tmpfs /tmp --size 16777216 --tmpfs /log \
        /argvrun "$@"
}
