# System V objects outlive their maker.
PROMISE=P5
SOURCE="CVE-2010-4258 class; shmget(2)"
attack() {
    ipcmk -M 4096 -p 0666
    ipcmk -Q -p 0666
    ipcmk -S 1 -p 0666
}
mine() { awk -v uid="$WHO_UID" '$0 ~ "[ \t]" uid "[ \t]" { print FILENAME }' /proc/sysvipc/*; }
success() { mine | grep -q .; }
after() { setpriv --reuid "$HUMAN_UID" --regid "$HUMAN_UID" --init-groups ipcrm --all; }
twin() { unconfined; }
