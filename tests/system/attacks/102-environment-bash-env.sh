# BASH_ENV: a file that bash runs before the command that was judged.
PROMISE=P1
SOURCE="ways round a login shell: BASH_ENV by ~/.pam_environment"
NEEDS_RUN=no
before() {
    : >"$W/out/seen"
    printf 'touch %s/work/proof\n' "$WHO_HOME" >"$WHO_HOME/work/code"
    chown "$WHO" "$WHO_HOME/work/code"
    echo 'BASH_ENV DEFAULT=@/code' | sed "s,@,$WHO_HOME/work," >"$WHO_HOME/.pam_environment"
}
after() { rm -f "$WHO_HOME/.pam_environment"; }
attack() { :; }
launch() {
    be bot
    bot 'bash -c /bin/true; true' >"$W/out/seen" 2>&1
}
success() { [ -e "$WHO_HOME/work/proof" ] || grep -q 'cannot be preloaded' "$W/out/seen"; }
twin() {
    be human
    human 'bash -c /bin/true; true' >"$W/out/seen" 2>&1
    success || skip 'pam_env reads no ~/.pam_environment here'
}
