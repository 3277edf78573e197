# Ways to the host's services: buses, agents, the journal, container engines.
PROMISE=P1
SOURCE="ways round a login shell: D-Bus, polkit, systemd; what runs as root after the join3: /dev/log"
attack() {
    local path
    for path in /run/dbus/system_bus_socket /run/user/$(id -u)/bus /run/systemd/private /run/systemd/journal/socket \
        /dev/log /run/docker.sock /var/run/docker.sock /run/containerd/containerd.sock /run/podman/podman.sock \
        /run/nscd/socket /run/systemd/userdb /var/lib/sss/pipes /run/utmp /var/run/utmp /var/log/wtmp /run/sbx/jails; do
        [ ! -e $path ] || echo $path >>"$PROOF"
    done
}
success() { proof; }
twin() {
    be human
    unconfined
    [ -e /run/sbx ] || success || skip 'this machine has none of them'
}
