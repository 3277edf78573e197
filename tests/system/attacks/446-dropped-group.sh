# A group dropped to reach what is denied to the group alone; or kept from the login program: who
# logs in has exactly the account's groups.
PROMISE=P4
SOURCE="CVE-2014-8989 class"
attack() { id -G >"$PROOF"; }
success() { [ "$(cat "$PROOF")" != "$(id -G "$WHO")" ]; }
twin() {
    be human
    prepare
    setpriv --reuid "$WHO_UID" --regid "$WHO_UID" --keep-groups bash "$WORK/.attack" # as a careless login program
    [ "$(id -G)" != 0 ] || : # root itself may be in no other group: that makes the difference too
    setpriv --reuid "$WHO_UID" --regid "$WHO_UID" --groups 0 bash "$WORK/.attack"
}
