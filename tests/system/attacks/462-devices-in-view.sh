# Devices that open kernel code or the machine: none is there.
PROMISE=P4
SOURCE="CVE-2020-8835 class: /dev/kvm, /dev/fuse, /dev/net/tun"
attack() {
    local device
    for device in mem kmem port kmsg kvm fuse net/tun vhost-net vhost-vsock loop-control snapshot \
        vda sda nvme0n1 dm-0 mapper/control ttyS0 console tty0 hpet rtc0 uinput input/event0 dri/card0 vsock; do
        [ ! -e /dev/$device ] || echo $device >>"$PROOF"
    done
}
success() { proof; }
twin() { unconfined; }
