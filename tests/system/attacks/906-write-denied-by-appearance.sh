# A denied file must not look empty, writable or replaced: what a program is told is EACCES or
# EROFS.
PROMISE=P11
SOURCE="promise P11: denied is never shown by faking"
before() { echo content >"$WORK/file"; echo content >"$WORK/hidden"; chown "$WHO" "$WORK/file" "$WORK/hidden"; }
launch() { jailed 'deny_write = ~/work/file' 'deny_read = ~/work/hidden'; }
attack() {
    [ "$(cat "$WORK/file")" = content ] || echo "reads otherwise" >>"$PROOF"
    { echo x >>"$WORK/file"; } 2>/dev/null && echo "takes writes" >>"$PROOF"
    [ ! -r "$WORK/hidden" ] || echo "hidden is readable" >>"$PROOF"
    { : <"$WORK/hidden"; } 2>/dev/null && echo "hidden opens" >>"$PROOF"
    [ -e "$WORK/hidden" ] || echo "hidden does not exist" >>"$PROOF"
}
success() { proof; }
twin() { # as jails do that put /dev/null there
    be human
    before
    prepare
    unshare --mount --propagation private bash -c "
        mount --bind /dev/null $WORK/file; mount --bind /dev/null $WORK/hidden
        setpriv --reuid $HUMAN_UID --regid $HUMAN_UID --init-groups bash $WORK/.attack none"
}
