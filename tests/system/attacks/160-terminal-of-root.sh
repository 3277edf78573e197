# su from root's terminal: what the account leaves behind must not hold that terminal, read from it
# or type into it.
PROMISE=P1
SOURCE="one terminal for two owners; CVE-2017-5226, CVE-2023-28339"
NEEDS_RUN=no
GIVE=(SECRET)
attack() {
    # Everything that could be the terminal from outside.
    local file
    for file in - /dev/tty /proc/self/fd/0 /proc/$PPID/fd/0 /proc/$PPID/fd/255 /dev/pts/[0-9]*; do
        "$TOOL" type "$file" "echo $SECRET >>$PROOF
" low
        "$TOOL" type "$file" "echo $SECRET >>$PROOF
" high
    done
}
launch() {
    be bot
    prepare
    # After su the terminal's own reader takes a line: what was typed into it is there.
    with_terminal bash -c "'$with_pam' su - $BOT -c 'bash $WORK/.attack sealed'; for n in 1 2 3 4; do read -r -t 0.5 line; echo \"\$line\"; done >$W/out/typed"
}
success() { grep -qsF "$SECRET" "$W/out/typed"; }
before() { rm -f "$W/out/typed"; }
twin() {
    be human
    prepare
    with_terminal bash -c "setpriv --reuid $HUMAN_UID --regid $HUMAN_UID --init-groups bash $WORK/.attack none; for n in 1 2 3 4; do read -r -t 0.5 line; echo \"\$line\"; done >$W/out/typed"
    success || skip 'this kernel refuses TIOCSTI by itself'
}
