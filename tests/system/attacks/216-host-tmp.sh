# Files in the host's /tmp, /var/tmp, /dev/shm and /run, where other accounts and root find them.
PROMISE=P2
SOURCE="CVE-2021-44731, CVE-2026-3888: names in the host's /tmp"
GIVE=(name)
name=sbxt-$RANDOM$RANDOM
after() { rm -f /tmp/$name /var/tmp/$name /dev/shm/$name /run/lock/$name; }
attack() {
    local dir
    for dir in /tmp /var/tmp /dev/shm /run/lock /run /run/user/$(id -u); do echo here >$dir/$name; done
}
success() { ls /tmp/$name /var/tmp/$name /dev/shm/$name /run/lock/$name 2>/dev/null | grep -q .; }
twin() { unconfined; }
