# Writable corners of the view itself: its root, /run, /dev.
PROMISE=P5
SOURCE="promise P5"
attack() {
    local dir
    for dir in / /run /run/lock /dev /home /var /sys /proc /run/sbx/session /var/lib; do
        : >"$dir/sbxt-fill" && echo "$dir" >>"$PROOF"
    done
}
success() { proof; }
twin() { # where the account has a place to write, this finds it
    be human
    prepare
    sed -i "s,in / ,in $HUMAN_HOME ," "$WORK/.attack"
    as_human bash "$WORK/.attack"
    rm -f "$HUMAN_HOME/sbxt-fill"
}
