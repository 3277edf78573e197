# Folders that the jail's construction makes, led by the account's links to where root makes them.
PROMISE=P11
SOURCE="CVE-2019-16884, CVE-2024-45310 (runc: mkdir through a link)"
NEEDS_RUN=no
attack() { :; }

# Everything below a folder that a listing can show: names, kinds, modes, owners, sizes, times, links.
trace() { find "$1" -printf "%P %y %m %U:%G %s %T@ %l\n" | sort; }
before() {
    mkdir -p "$W/target"
    rm -rf "$W/target"/*
    ln -s "$W/target" "$WORK/link"
    trace "$W/target" >"$W/out/trace"
}
launch() {
    be bot
    world_policy 'allow_write = ~/work/link/made' 'deny_read = ~/work/link/hidden/deep' 'deny_write = ~/work/link/file'         'allow_read = ~/work/link/seen'
    run_as -- true
    bot true
}
success() { ! trace "$W/target" | cmp -s - "$W/out/trace"; }
twin() { mkdir -p "$WORK/link/made"; } # root, by name
