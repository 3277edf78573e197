# A root of one's own: the start of the classic way out, and of a set-id program that reads the
# account's /etc/passwd.
PROMISE=P4
SOURCE="chroot(2), the double chroot"
attack() {
    mkdir -p "$WORK/root"
    "$TOOL" chroot "$WORK/root" && echo chroot >"$PROOF"
    "$TOOL" pivot "$WORK" "$WORK/root" && echo pivot_root >>"$PROOF"
}
success() { proof; }
twin() { unfiltered root; }
