# The same while the jail lives, with everything that policy can name and that is not there.
PROMISE=P11
SOURCE="promise P11: before, during and after"
NEEDS_RUN=no
attack() { :; }

# Everything below a folder that a listing can show: names, kinds, modes, owners, sizes, times, links.
trace() { find "$1" -printf "%P %y %m %U:%G %s %T@ %l\n" | sort; }
before() { trace "$WHO_HOME" >"$W/out/trace"; rm -f "$W/out/during"; }
launch() {
    be bot
    world_policy 'deny_write = ~/work/absent' 'deny_read = ~/absent' 'allow_write = ~/work/gone' 'allow_write = ~/none'         'allow_read = ~/nothing' 'deny_read = ~/**/*.pem'
    hold_jail
    trace "$WHO_HOME" >"$W/out/during"
    release_jail
}
success() { ! cmp -s "$W/out/during" "$W/out/trace"; }
twin() {
    be bot
    before
    unshare --mount --propagation private sh -c "mkdir -p '$WHO_HOME/work/gone' && mount -t tmpfs none '$WHO_HOME/work/gone'"
    trace "$WHO_HOME" >"$W/out/during"
}
