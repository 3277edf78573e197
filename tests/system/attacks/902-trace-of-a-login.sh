# A login that does nothing: the home is byte-identical, times included.
PROMISE=P11
SOURCE="promise P11"
NEEDS_RUN=no
attack() { :; }

# Everything below a folder that a listing can show: names, kinds, modes, owners, sizes, times, links.
trace() { find "$1" -printf "%P %y %m %U:%G %s %T@ %l\n" | sort; }
before() { trace "$WHO_HOME" >"$W/out/trace"; }
launch() {
    be bot
    bot true
    run_as -- true
    run_as -- "$B/sbxsh" -c true
}
success() { ! trace "$WHO_HOME" | cmp -s - "$W/out/trace"; }
twin() {
    be human
    human 'history -w ~/.bash_history_sbxt' # a login shell's habit
}
after() { rm -f "$WHO_HOME/.bash_history_sbxt"; }
