# A line for the next login, or for the human who becomes this account.
PROMISE=P2
SOURCE="ways round a login shell: ~/.bashrc, ~/.profile"
after() { rm -f "$WHO_HOME/.bash_login"; sed -i /sbxt-mark/d "$WHO_HOME/.bashrc"; }
attack() {
    echo ': sbxt-mark' >>~/.bashrc
    echo ': sbxt-mark' >~/.bash_login
    sed -i '$a: sbxt-mark' ~/.bashrc
    cat ~/.bashrc >"$WORK/rc" && echo ': sbxt-mark' >>"$WORK/rc" && mv -f "$WORK/rc" ~/.bashrc
}
success() { grep -qs sbxt-mark "$WHO_HOME/.bashrc" "$WHO_HOME/.bash_login"; }
twin() { unconfined; }
