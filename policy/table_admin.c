/* The machine: rights, accounts, services, devices, processes, logs. How to read a row: policy/command.h */
#include "policy/table.h"

#define NO_ROOT    "there are no root rights here; do it without, or ask the operator"
#define NO_MOUNT   "mounts and namespaces belong to the operator; work on plain files"
#define NO_ACCOUNT "accounts belong to the operator; ask for it"
#define NO_SERVICE "services belong to the operator; run your program in the foreground"
#define NO_POWER   "the machine's state belongs to the operator"
#define NO_NET     "the machine's network belongs to the operator"
#define NO_DISK    "disks belong to the operator; use an image file in the workspace"

/* clang-format off */
static const struct sbx_command_row sbx_rows_admin[] = {
    /* --- rights --- */
    {"sudo|sudoedit|su|doas|pkexec|run0|runuser|newgrp|sg|gosu|su-exec|setpriv|calife|gksu|gksudo|kdesu|kdesudo|ksu|dzdo|pfexec|sudo-rs|su-rs|userv|beesu|pbrun|sesudo|sudosh|s6-setuidgid|s6-envuidgid|setuidgid", "", "n*", DANGER | VOK, DENY(PRIV_ESC), NULL, NO_ROOT},
    {"visudo|vipw|vigr|capsh|setcap|newuidmap|newgidmap|polkit-agent-helper-1|dbus-daemon-launch-helper", "", "n*", DANGER, DENY(PRIV_ESC), NULL, NO_ROOT},
    {"getcap|getpcaps", "-r -v", "n*", RO | PRINT, NONE, NULL, NULL},
    {"unshare|bwrap|proot|arch-nspawn|nsenter|chroot|pivot_root|switch_root|systemd-nspawn|lxc-attach|lxc-execute|lxc-unshare|schroot|dchroot|arch-chroot|debootstrap|rootlesskit|slirp4netns|runc|crun|kata-runtime|fuse2fs|squashfuse|sshfs|fusermount|fusermount3|umount|losetup|mount.nfs|mount.cifs|pmount|udisksctl|cryptsetup|kpartx|dmsetup|systemd-mount|autofs|automount|unionfs|bindfs|s3fs", "", "n*", DANGER | VOK, DENY(PRIV_ESC), NULL, NO_MOUNT},
    {"mount", "-t,--types=n -o,--options=n -a,--all:a -r -w -v -l -L,--label=n -U,--uuid=n --bind:b --rbind:b -B:b -R:b --move:b -M:b --mkdir?n --options-mode=n --options-source=n -O=n --test-opts=n --source=n --target=n -N=n --namespace=n -T,--fstab=r --target-prefix=n", "n*", DANGER | VOK, NONE, sbx_check_mount, NO_MOUNT},
    {"insmod|rmmod|modprobe|depmod|kexec|kmod|dkms", "", "n*", DANGER | VOK, DENY(HOST_CONTROL), NULL, NO_POWER},
    {"modinfo", "", "n*", RO | PRINT, NONE, NULL, NULL},
    {"bpftool|bpftrace|systemtap|stap|trace-cmd|ftrace", "", "n*", VOK, DENY(PRIV_ESC), NULL, NO_ROOT},

    /* --- accounts --- */
    {"useradd|userdel|usermod|adduser|deluser|addgroup|delgroup|groupadd|groupdel|groupmod|gpasswd|chpasswd|chgpasswd|newusers|chage|pwconv|pwunconv|grpconv|grpunconv|homectl|pam-auth-update|update-passwd|authselect|smbpasswd|pdbedit|saslpasswd2|kadmin|kpasswd|faillock|pam_tally2|nologin", "", "n*", DANGER | VOK, DENY(PRIV_ESC), NULL, NO_ACCOUNT},
    {"passwd|chsh|chfn|yppasswd", "", "n*", DANGER, DENY(PRIV_ESC), NULL, NO_ACCOUNT},
    {"getent", "-s,--service=n -i", "n*", RO, NONE, sbx_check_secret, NULL},

    /* --- services and power --- */
    {"systemctl", "-H,--host=h -M,--machine=n -t,--type=n -p,--property=n -P=n -o,--output=n -n,--lines=n -s,--signal=n --state=n --root=n --what=n --job-mode=n --user:u --system -a -l -q -f --no-pager --now --check-inhibitors=n --kill-whom=n --legend=n --boot-loader-menu=n --boot-loader-entry=n --timestamp=n --image=n", "n*", DANGER | PRINT, NONE, sbx_check_systemctl, NO_SERVICE},
    {"service|rc-service|invoke-rc.d|initctl|sv|svc|s6-svc|s6-rc|runit|runsvdir|telinit", "", "n*", 0, NONE, sbx_check_systemctl, NO_SERVICE},
    {"update-rc.d|rc-update|chkconfig|insserv|systemd-sysusers|systemd-tmpfiles|systemd-hwdb|dracut|update-initramfs|mkinitcpio|mkinitramfs|update-grub|grub-install|grub-mkconfig|grub2-mkconfig|efibootmgr|bootctl|kernel-install|installkernel|grub-reboot|grub-set-default|lilo", "", "n*", VOK | DANGER, DENY(PERSISTENCE), NULL, NO_SERVICE},
    {"systemd-run", "", "n*", VOK | DANGER, DENY(PERSISTENCE), NULL, NO_SERVICE},
    {"udevadm", "", "n*", SUB | PRINT, NONE, NULL, NULL},
    {"udevadm control|udevadm trigger", "", "n*", 0, DENY(HOST_CONTROL), NULL, NO_POWER},
    {"setenforce|aa-disable|aa-complain|aa-teardown|aa-remove-unknown|apparmor_parser|semodule|setsebool|load_policy", "", "n*", DANGER | VOK, DENY(PRIV_ESC), NULL, "what guards the machine stays as it is"},
    {"crontab", "-u=n -l:l -e:e -r:r -i -s -T=n", "n*", DANGER | PRINT, NONE, sbx_check_crontab, "run it now, or ask the operator for a timer"},
    {"at", "-l:l -f=r -q=n -t=n -m -M -v -V:l -c -d -u=n -o=n", "n*", DANGER, NONE, sbx_check_crontab, "run it now, or ask the operator for a timer"},
    {"batch", "-l:l -f=r -q=n -t=n -m -M -v -V:l -c -d -u=n -o=n", "n*", DANGER, NONE, sbx_check_crontab, "run it now, or ask the operator for a timer"},
    {"atrm", "-l:l -f=r -q=n -t=n -m -M -v -V:l -c -d -u=n -o=n", "n*", DANGER, NONE, sbx_check_crontab, "run it now, or ask the operator for a timer"},
    {"cron|crond", "-l:l -f -q=n -t=n -m -M -v -V:l -c=n -d=n -L=n", "n*", DANGER, NONE, sbx_check_crontab, "run it now, or ask the operator for a timer"},
    {"atd", "-l:l -f -d", "n*", DANGER, NONE, sbx_check_crontab, "run it now, or ask the operator for a timer"},
    {"anacron|fcron|fcrontab|incrontab|incrond", "-l:l -f=r -q=n -t=n -m -M -v -V:l -c=n -d=n", "n*", DANGER, NONE, sbx_check_crontab, "run it now, or ask the operator for a timer"},
    {"atq", "-q=n -u=n -o=n", "n*", RO | PRINT, NONE, NULL, NULL},
    {"shutdown|reboot|halt|poweroff|init|pm-suspend|pm-hibernate|rtcwake|acpitool|ctrlaltdel|wall|write|talk|ntalk|vlock|physlock|swapoff|mkswap|hibernate|systemd-sleep", "", "n*", DANGER | VOK, DENY(HOST_CONTROL), NULL, NO_POWER},
    {"swapon", "-s,--summary:s --show?n:s -a -p,--priority=n -d -e -f -L=n -U=n -v --discard?n -o=n --options=n", "n*", PRINT, NONE, sbx_check_swap, NULL},
    {"mesg", "", "n*", PRINT, NONE, NULL, NULL},
    {"sysctl", "-w,--write:w -p,--load?n:p -a,--all -n -e -q -N -b -r,--pattern=n --system:p", "n*", DANGER | PRINT, NONE, sbx_check_sysctl, NO_POWER},
    {"hostnamectl|timedatectl|localectl|loginctl", "-H=h -M,--machine=n --host=h --json=n -s=n --signal=n -a -l --no-pager -p,--property=n --set:w -n,--lines=n -P=n --kill-whom=n -o=n --output=n", "n*", PRINT, NONE, sbx_check_hostname, NO_POWER},
    {"domainname|dnsdomainname|nisdomainname|ypdomainname", "-F,--file:w -s,--set:w -b,--boot:w -f -i -d -y -A -I", "n*", PRINT, NONE, sbx_check_hostname, NO_POWER},
    {"hwclock", "-s,--set:w -w,--systohc:w --hctosys:w -f,--rtc=r --param-get=n --param-set=n --date=n --delay=n --adjfile=w", "n*", PRINT, NONE, sbx_check_hostname, NO_POWER},
    {"networkctl", "-s --set:w --no-pager -n,--lines=n --json=n --signal=n -a -l", "n*", PRINT, NONE, sbx_check_hostname, NO_POWER},
    {"busctl", "-H=h -M,--machine=n --no-pager --user --host=h --address=n --match=n --size=n --json=n --expect-reply=n --auto-start=n --allow-interactive-authorization=n --timeout=n --augment-creds=n --watch-bind=n --destination=n", "n*", PRINT, NONE, sbx_check_hostname, NO_POWER},
    {"hostname|resolvectl|resolvconf|machinectl|portablectl|coredumpctl|oomctl|userdbctl|bluetoothctl", "-F,--file=r:w -s,--set:w -w,--systohc:w --hctosys:w -b,--boot:w -f -i -d -y -A -I -H=h -M=n --no-pager --user -p=n -n=n -t=n", "n*", PRINT, NONE, sbx_check_hostname, NO_POWER},
    {"ntpdate|chronyc|ntpq|chronyd|ntpd|adjtimex|rdate|sntp|fake-hwclock", "-q:q", "n*", 0, NONE, sbx_check_hostname, NO_POWER},
    {"ip|tc|bridge", "-f,-family=n -n,-netns=n -c -j,-json -p -o -s -d -4 -6 -br,-brief -a -V -r -t -g -h -color?n -b=E -batch=E -l=n -loops=n -rc,-rcvbuf=n -net=n -cf,-conf=n", "n*", DLONG | PRINT, NONE, sbx_check_ip, NO_NET},
    {"route|arp", "-n -f -p -s -d -a -t", "n*", DLONG | PRINT, NONE, sbx_check_ip, NO_NET},
    {"mii-tool", "-p -V -r --advertise=n --force=n --phy=n", "n*", DLONG | PRINT, NONE, sbx_check_ip, NO_NET},
    {"ifconfig|ifup|ifdown|brctl|ethtool|iwconfig|iw|nmcli|nmtui|dhclient|dhcpcd|udhcpc|vconfig|tunctl|wg|wg-quick|openvpn|ipmaddr|iptunnel|rfkill|wpa_supplicant|wpa_cli|ovs-vsctl|arptables|pppd|slattach", "-f=n -n=n -c -j,-json -p -o -s -d -4 -6 -br,-brief -br -a -V -r -t -g -h -color?n", "n*", DLONG | PRINT, NONE, sbx_check_ip, NO_NET},
    {"iptables|ip6tables|nft|ebtables|iptables-restore|ip6tables-restore|iptables-save|ip6tables-save|iptables-legacy|iptables-nft|ufw|firewall-cmd|ipset|ipvsadm|pfctl|fail2ban-client|firewalld|shorewall|conntrack|csf", "-L,--list:l -S,--list-rules:l -t,--table=n -n,--numeric -v -x --line-numbers -f,--file=r", "n*", DANGER | PRINT, NONE, sbx_check_iptables, NO_NET},
    {"blkdiscard", "-l,--length=n --list:l -o,--offset=n -p,--step=n --print:l -f -z", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"blockdev", "-q --setbsz=n --setra=n --setfra=n", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"fstrim", "-l,--length=n --list:l -o,--offset=n -I,--listed-in=n -a -m=n --minimum=n", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"badblocks", "-t=n -o=w -p=n --print:l -d=n --dump:l -i=r -f -b=n", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"partx|mkfs", "-l,--list:l -t,--type=n -o=n -d,--dump -a,--add -n=n --nr=n --output=n -S=n --sector-size=n --delete -s:l --show:l", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"mke2fs|mkfs.ext2|mkfs.ext3|mkfs.ext4", "-l=r --list:l -t=n -o=n -d=R --dump:l -i=n -I=n -F -q -E=n -U=n -O=n -z=w -b=n -e=n -g=n -G=n -J=n -L=n -m=n -M=n -N=n -r=n -T=n", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"mkfs.minix", "-l,--badblocks=r --list:l -i,--inodes=n -n=n --namelength=n --lock?n", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"mkfs.cramfs", "-p --print:l -i=r -E -z -b=n -e=n -N=n -n=n", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"fsck.ext4|e2fsck", "-l=r --list:l -t=n -p --print:l -d -a -f -F -y -E=n -z=w -b=n -B=n -j=n -L=r", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"tune2fs", "-l,--list:l -o=n -i=n -I=n -f -E=n -U=n -O=n -z=w -c=n -C=n -e=n -g=n -J=n -L=n -m=n -M=n -r=n -Q=n -T=n -u=n", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"resize2fs", "-p --print:l -d=n --dump:l -f -F -z=w -S=n", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"wipefs", "-t,--types=n -o,--offset=n -p --print:l -i -a -f -q -O=n --output=n --lock?n -n:l --no-act:l", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"swaplabel", "-U,--uuid=n -L=n --label=n", "n*", PRINT, NONE, sbx_check_device, NO_DISK},
    {"grub-editenv|fwupdmgr|flashrom|nvme|hdparm|sdparm|smartctl|ipmitool|dmidecode|setpci|msr-tools|wrmsr|rdmsr|i2cset|i2cget|devmem|devmem2|nvram|tpm2_clear|mokutil|sbctl|usbreset|eject|cdrecord|wodim|growisofs|dvd+rw-format|sg_format|sg_raw|fsfreeze|mtd-utils|flash_erase|nandwrite|mt|mtx|setserial|setleds|loadkeys|setfont|kbdrate|chvt|deallocvt|showkey|ddrescue|partclone|partimage|clonezilla|fsarchiver|testdisk|photorec|extundelete|ntfsclone|ntfsfix|fdisk|sfdisk|cfdisk|gdisk|sgdisk|cgdisk|parted|partprobe|addpart|delpart|mkfs.xfs|mkfs.btrfs|mkfs.vfat|mkfs.fat|mkfs.msdos|mkfs.ntfs|mkfs.exfat|mkfs.f2fs|mkdosfs|mkntfs|fsck|fsck.xfs|e4defrag|xfs_repair|xfs_growfs|btrfs|btrfstune|e2label|fatlabel|xfs_admin|mdadm|pvcreate|pvremove|pvmove|pvresize|vgcreate|vgremove|vgextend|vgreduce|vgchange|lvcreate|lvremove|lvextend|lvreduce|lvresize|lvchange|lvm|zpool|zfs|bcache|drbdadm|multipath|iscsiadm|dmraid|mkudffs|mkreiserfs|jfs_mkfs|luksformat|veracrypt|dumpe2fs|pvs|vgs|lvs|pvdisplay|vgdisplay|lvdisplay", "-l,--list:l -t=n -o=n --list-columns:l -p,--print:l -d,--dump:l -i:l -I:l -a -f -F -q -y -E=n -U=n -O=n -z --identify:l", "n*", PRINT, NONE, sbx_check_device, NO_DISK},

    /* --- processes --- */
    {"kill", "-s,--signal=n -n=n -l=n:l -L:l -q,--queue=n -p -t,--timeout=n --list=n:l --table:l", "n*", DANGER | PRINT, NONE, sbx_check_kill, NULL},
    {"pkill", "-s,--signal,--session=n -u,--euid,--user=n:u -U,--uid=n:u -g,--pgroup=n -G,--group=n -P,--parent=n -t,--terminal=n:t -F,--pidfile=r -o,--oldest --older-than=n -y,--younger-than=n -c,--count -f,--full:f -x,--exact -i -I -n,--newest -v -w -q,--queue=n -e -r,--runstates=n --regexp -l,--list:l -O,--older=n --ns=n --nslist=n -Z=n --cgroup=n", "n*", DANGER | PRINT, NONE, sbx_check_pkill, NULL},
    {"killall", "-s,--signal=n -u,--euid,--user=n:u -U,--uid=n:u -g,--pgroup,--process-group -G=n -P,--parent=n -t,--terminal=n:t -F,--pidfile=r -o,--oldest,--older-than=n -y,--younger-than=n -c,--count -f,--full:f -x,--exact -i -I -n=n --newest -v -w -q -e -r,--regexp -l,--list:l -O=n --ns=n --nslist=n -Z,--context=n", "n*", DANGER | PRINT, NONE, sbx_check_pkill, NULL},
    {"skill|snice", "-s,--signal=n -u,--euid,--user=n:u -U,--uid=n:u -g,--pgroup=n -G=n -P,--parent=n -t,--terminal=n:t -F,--pidfile=r -o,--oldest,--older-than=n -y,--younger-than=n -c=n --count -f,--full:f -x,--exact -i -I -n,--newest -v -w -q -e -r,--regexp -l,--list:l -O=n --ns=n --nslist=n -Z=n -p=n --pid=n --tty=n:t --command=n", "n*", DANGER | PRINT, NONE, sbx_check_pkill, NULL},
    {"xkill", "-s,--signal=n -u,--euid,--user=n:u -U,--uid=n:u -g,--pgroup=n -G=n -P,--parent=n -t,--terminal=n:t -F,--pidfile=r -o,--oldest,--older-than=n -y,--younger-than=n -c,--count -f,--full:f -x,--exact -i -I -n,--newest -v -w -q -e -r,--regexp -l,--list:l -O=n --ns=n --nslist=n -Z=n -display=n -id=n -button=n", "n*", DANGER | PRINT | DLONG, NONE, sbx_check_pkill, NULL},
    {"killall5|slay", "-s,--signal=n -u,--euid,--user=n:u -U,--uid=n:u -g,--pgroup=n -G=n -P,--parent=n -t,--terminal=n:t -F,--pidfile=r -o,--oldest,--older-than=n -y,--younger-than=n -c,--count -f,--full:f -x,--exact,--exact -i -I -n,--newest -v -w -q -e -r,--regexp -l,--list:l -O=n --ns=n --nslist=n -Z=n", "n*", DANGER | PRINT, NONE, sbx_check_pkill, NULL},
    {"pgrep|pidwait", "-u,--euid=n -U,--uid=n -g,--pgroup=n -G,--group=n -P,--parent=n -t,--terminal=n -d,--delimiter=n -F,--pidfile=r -o -s,--session=n -l -a -f -x -n -v -c -O=n --older=n -r=n --runstates=n --cgroup=n --ns=n --nslist=n", "n*", RO | PRINT, NONE, sbx_check_pidof, NULL},
    {"pidof", "-u=n -U=n -g=n -G=n -P=n -t=n -d=n -F=r -o=n -s -l -a -f -x -n -v -c", "n*", RO | PRINT, NONE, sbx_check_pidof, NULL},
    {"pstree", "-u -U -g -G -P=n -t -d=n -F=r -o -s -l -a -f -x -n -v -c -C=n --color=n -H=n --highlight-pid=n -N=n --ns-sort=n", "n*", RO | PRINT, NONE, sbx_check_pidof, NULL},
    {"pmap", "-u=n -U=n -g=n -G=n -P=n -t=n -d -F=r -o -s -l -a -f -x -n,--create-rc -v -c,--read-rc -A=n --range=n -N=w --create-rc-to=w -C=r --read-rc-from=r", "n*", RO | PRINT, NONE, sbx_check_pidof, NULL},
    {"lsfd", "-u -U=n -g=n -G=n -P=n -t=n -d=n -F=r -o=n -s -l -a -f -x -n -v -c --output=n -p=n --pid=n -Q=n --filter=n -C=n --counter=n --summary?n", "n*", RO | PRINT, NONE, sbx_check_pidof, NULL},
    {"pwdx|procs", "-u=n -U=n -g=n -G=n -P=n -t=n -d=n -F=r -o -s -l -a -f -x -n -v -c", "n*", RO | PRINT, NONE, sbx_check_pidof, NULL},
    {"ps", "-o=n -O=n -p=n -u=n -U=n -C=n -g=n -G=n -t=n -d -n=n -N -q=n -s=n -w?n --sort=n --ppid=n --pid=n --user=n --format=n --config=E -F -A -e -f -l -a -x --Group=n --group=n --quick-pid=n --sid=n --tty=n --User=n --cols=n --columns=n --lines=n --rows=n --width=n", "n*", RO | OLD | PRINT, NONE, NULL, NULL},
    {"top", "-o,--sort-override=n -O -p=n -u,--filter-only-euser=n -U,--filter-any-user=n -d,--delay=n -n,--iterations=n -s -w,--width?n --pid=n -i -e,--scale-task-mem=n -b -E=n -c -H -S -1 --scale-summary-mem=n", "n*", RO | OLD | PRINT | PAGER, NONE, NULL, NULL},
    {"slabtop", "-o -d,--delay=n -s=n --sort=n", "n*", RO | OLD | PRINT | PAGER, NONE, NULL, NULL},
    {"htop|atop|btop|glances|iotop|nethogs|iftop|bashtop|nmon|powertop|bmon|vnstat", "-o=n -O=n -p=n -u=n -U=n -C=n -g=n -G=n -t=n -d=n -n=n -N=n -q=n -s=n -w?n --sort=n --pid=n --user=n --config=E -F=n -i=n -A -e -f -l -a -x -b", "n*", RO | OLD | PRINT | PAGER, NONE, NULL, NULL},
    {"dstat|dool|pcp-dstat", "-c -d -n -m -s -t -i -g -l -p -r -y -C=n -D=n -N=n -I=n -S=n -M=n --output=w --time --cpu --disk --net --mem --swap --load --proc --sys --io --top-cpu --top-mem --top-io --top-bio --list --tcp --udp --vm --noupdate --nocolor --bits --float --integer --full --all --aio --fs --int --ipc --lock --page --raw --socket --unix --epoch --noheaders --color --bw --version --help --battery --cpufreq --cpu-use --cpu-adv --disk-util --disk-tps --disk-avgqu --disk-avgrq --disk-svctm --disk-wait --freespace --fan --gpfs --innodb-io --mysql5-cmds --net-packets --nfs3 --ntp --power --proc-count --qmail --rpc --sendmail --snooze --squid --test --thermal --top-latency --top-childwait --top-oom --utmp --vz-cpu --wifi --zfs-arc --memory-usage --cpu24 --disk24 --swapold --dbus --snmp-cpu --top-int", "n*", RO | PRINT, NONE, sbx_check_console, NULL},
    {"ldconfig", "-f=b -C=w -r=b -p,--print-cache:p -n:n -N -X -v -V -l:n --format=n -c=n", "n*", VOK, NONE, sbx_check_console, NULL},
    {"renice", "-n,--priority=n -g,--pgrp -p,--pid -u,--user", "n*", 0, NONE, sbx_check_renice, NULL},
    {"strace", "-p,--attach=n:p -o,--output=n:o -e,--trace=n -E,--env=n -s,--string-limit=n -S,--summary-sort-by=n -a,--columns=n -b,--detach-on=n -u,--user=n -P,--trace-path=n -O,--summary-syscall-overhead=n -I,--interruptible=n -X,--const-print-style=n -U,--summary-columns=n --signal=n --status=n --abbrev=n --verbose=n --raw=n --read=n --write=n --quiet,--silent,--silence?n --kvm=n --fault=n --inject=n --decode-fds?n --decode-pids?n --relative-timestamps?n --absolute-timestamps,--timestamps?n --syscall-times?n --strings-in-hex?n --daemonize?n --tips?n -f,--follow-forks -c -C -d -D -h -i -k -n -q -r -t -T -v -V -w -x -y -Y -z -Z -A -F -L --summary", "n*", STOP | PRINT, NONE, sbx_check_trace, NULL},
    {"ltrace", "-p=n:p -o,--output=n:o -e=n -a,--align=n -A=n -D,--debug=n -F,--config=r -l,--library=n -n,--indent=n -s=n -u=n -w,--where=n -x=n -b,--no-signals -c -C,--demangle -f -i -L -r -S -t -T -V -h", "n*", STOP | PRINT, NONE, sbx_check_trace, NULL},
    {"latrace|fatrace|uftrace", "-p,--attach=n:p -o,--output=n:o -e,--trace=n -E,--env=n -s,--string-limit=n -S,--summary-sort-by=n -a,--columns=n -b,--detach-on=n -u,--user=n -P,--trace-path=n -O=n -I=n -X=n -U=n -n=n -A=n -F=n -l=n -x=n -f,--follow-forks -c -C -d -D -h -i -k -q -r -t -T -v -V -w -y -z -Z -L", "n*", STOP | PRINT, NONE, sbx_check_trace, NULL},
    {"openvt", "-c=n -s -u -l -w -v -f -e", "C", WRAP, DENY(HOST_CONTROL), NULL, NO_POWER},
    {"lldb", "-o,--one-line=n:k -O,--one-line-before-file=n:k -k,--one-line-on-crash=n:k -K=r:x -s,--source=r:x -S,--source-before-file=r:x -p,--attach-pid=n:p -n,--attach-name=n:p -b,--batch -Q -f,--file=r -c,--core=r -a,--arch=n -l=n -w -x -X -e -r=n -v -P", "n*", STOP, NONE, sbx_check_trace, NULL},
    {"gdb|cgdb", "-p,--pid,--attach=n:p -b=n -x,--command=r:x -ex,-iex,--eval-command,--init-eval-command=n:k -ix,--init-command=r:x -c,--core=n -d,--directory=n -D=E -q -args,--args=n:A -l=n --data-directory=n -exec=n --exec=n -se=r --se=r -symbols=r --symbols=r -cd=W --cd=W -data-directory=E -init-eval-command=n:k -init-command=r:x -tty=n --tty=n -interpreter=n -i=n --interpreter=n -pid=n:p", "n*", STOP | DLONG, NONE, sbx_check_trace, NULL},
    {"perf", "-p --pid,--attach=n:p -o=w:o --output=n:o -e,--trace=n -E=n -s=n -S=n -a -b=n -u=n -P=n -O=n:k -x,--command=r:x -ex,-iex,--eval-command=n:k -ix=r:x -c --core=n -d,--directory=n -D -f -ff -C=n -q -quiet -batch -n -nx -nh -tui -v -y -z -t -tt -T -i=r -k -r -args,--args=n:A --one-line=n:k -l=n -F=n -g", "n*", STOP | DLONG, NONE, sbx_check_trace, NULL},
    {"gcore", "-p,--pid,--attach=n:p -o,--output=n:o -e,--trace=n -E=n -s=n -S=n -a -b=n -u=n -P=n -O=n:k -x,--command=r:x -ex,-iex,--eval-command=n:k -ix=r:x -c --core=n -d,--directory=n -D -f -ff -C -q -quiet -batch -n -nx -nh -tui -v -y -z -t -tt -T -i -k -r -args,--args=n:A --one-line=n:k -l=n -F=n -g", "n*", STOP | DLONG, NONE, sbx_check_trace, NULL},
    {"jstack", "-p,--pid,--attach=n:p -o,--output=n:o -e,--trace -E=n -s=n -S=n -a=n -b=n -u=n -P=n -O=n:k -x,--command=r:x -ex,-iex,--eval-command=n:k -ix=r:x -c --core=n -d,--directory=n -D -f=r -ff -C -q -quiet -batch -n -nx -nh -tui -v -y -z -t -tt -T -i -k -r -args,--args=n:A --one-line=n:k -l -F=n -g", "n*", STOP | DLONG, NONE, sbx_check_trace, NULL},
    {"jcmd", "-p,--pid,--attach=n:p -o,--output=n:o -e --trace=n -E=n -s=n -S=n -a=n -b=n -u=n -P=n -O=n:k -x,--command=r:x -ex,-iex,--eval-command=n:k -ix=r:x -c --core=n -d,--directory=n -D -f -ff -C -q -quiet -batch -n -nx -nh -tui -v -y -z -t -tt -T -i -k -r -args,--args=n:A --one-line=n:k -l -F=n -g", "n*", STOP | DLONG, NONE, sbx_check_trace, NULL},
    {"rr|dtrace|gdbserver|lldb-server|reptyr|injcode|process_vm_write|crash|jmap|py-spy|rbspy|phpspy|frida|frida-trace|radare2|r2|edb|nemiver|delve|dlv|pyrasite|austin|pstack|eu-stack|sysdig", "-p,--pid,--attach=n:p -o,--output=n:o -e,--trace=n -E=n -s=n -S=n -a=n -b=n -u=n -P=n -O=n -x,--command=r:x -ex,-iex,--eval-command=n:k -ix=r:x -c,--core=n -d,--directory=n -D -f -ff -c -C -q -quiet -batch -n -nx -nh -tui -v -y -z -t -tt -T -i -k -r -args,--args=n:A --one-line=n:k -O=n:k -l=n -F=n -g", "n*", STOP | DLONG, NONE, sbx_check_trace, NULL},

    /* --- logs --- */
    {"journalctl", "-u,--unit=n -n,--lines?n -o,--output=n -p,--priority=n -S,--since=n -U,--until=n -t,--identifier=n -g,--grep=n -D,--directory=L --file=r -b,--boot?n --vacuum-size=n:v --vacuum-time=n:v --vacuum-files=n:v --rotate:v --flush:v --sync --relinquish-var:v --setup-keys:v -f -e -x -k -r --no-pager --user --root=n -M=n --machine=n --namespace=n -c=n --cursor=n --after-cursor=n --user-unit=n --facility=n --case-sensitive?n --output-fields=n --interval=n --verify-key=n -F=n --field=n --cursor-file=w --image=n --verify", "n*", PRINT, NONE, sbx_check_journalctl, NULL},
    {"auditctl", "-l:l -s:l -c -i -m=n -k=n -d=n --debug:l -a=n -D -e=n -r=n -f=n -b=n --backlog_wait_time=n -q=n --signal=n -A=n -R=r -w=n -W=n", "n*", PRINT, NONE, sbx_check_logger, "logs belong to the operator"},
    {"ausearch", "-l,--line-buffered -c,--comm=n -i,--interpret -m,--message=n -k,--key=n -ts=n:l -d --debug:l -a,--event=n -e,--exit=n -r -f=n --arch=n -escape=n --eoe-timeout=n -ga,--gid-all=n -ge=n --gid-effective=n -gi,--gid=n -hn=n --host=n -pp,--ppid=n -sc,--syscall=n -se,--context=n --session=n -su,--subject=n -sv,--success=n -tm,--terminal=n -ua,--uid-all=n -ue,--uid-effective=n -ui,--uid=n -ul,--loginuid=n -uu,--uuid=n -vm,--vm-name=n -x=n --executable=n --checkpoint=w -if,--input=r --file=n -s -n=n --node=n -o=n --object=n -p=n --pid=n --start=n -te,--end=n -w --word --raw", "n*", PRINT | DLONG, NONE, sbx_check_logger, "logs belong to the operator"},
    {"aureport", "-l:l -s:l -c:l -i:l -m:l -k:l -ts=n:l -d,--debug:l -a -e -r:r -f --eoe-timeout=n --escape=n --node=n -if,--input=r", "n*", PRINT | DLONG, NONE, sbx_check_logger, "logs belong to the operator"},
    {"utmpdump", "-r:r -f -o=w --output=w", "n*", PRINT, NONE, sbx_check_logger, "logs belong to the operator"},
    {"faillog", "-l,--lock-secs=n -m,--maximum=n -a -r:r -t=n --time=n -u=n --user=n -R=n --root=n", "n*", PRINT, NONE, sbx_check_logger, "logs belong to the operator"},
    {"augenrules|autrace|rsyslogd|syslogd|syslog-ng|sessreg|klogd", "-l:l -s:l -c:l -i:l -m=n:l -k=n:l -ts=n:l -d,--debug:l -a=n -D -e=n -r:r -f=n", "n*", PRINT, NONE, sbx_check_logger, "logs belong to the operator"},
    {"savelog", "-m=n -u=n -g=n -c=n -r=n -x=e -t -p -j -C -l -d -n -q", "w*", 0, NONE, sbx_check_logger, "logs belong to the operator"},
    {"logrotate", "-s,--state=w -l,--log=w:L -m,--mail=E -f,--force -d,--debug:l -v", "E*", 0, NONE, sbx_check_logger, "logs belong to the operator"},
    {"dmesg", "-C,--clear:c -c,--read-clear:c -D,--console-off:c -E,--console-on:c -n,--console-level=n:c -f,--facility=n -l,--level=n -H -T -w -k -u -x --color?n -s=n --buffer-size=n --time-format=n --since=n --until=n -F=r --file=r", "n*", PRINT, NONE, sbx_check_logger, "logs belong to the operator"},
    {"logger", "-f,--file=r:f -n,--server=h:h -P,--port=n -p,--priority=n -t,--tag=n -i -s -S=n -T -d -u,--socket=n --id?n --size=n --rfc5424?n --sd-id=n --sd-param=n --msgid=n --socket-errors?n --journald?r", "n*", PRINT, NONE, sbx_check_broker, NULL},

    /* --- programs whose configuration is code --- */
    {"neofetch|fastfetch|screenfetch|conky|polybar|waybar", "-c,--config=E --logo=n --source=n", "n*", PRINT, NONE, NULL, NULL},
    {"procmail|maildrop|fetchmail|getmail", "-f=n -m:m -a=n -d=n -t -o", "E*", 0, NONE, NULL, NULL},
    {"minicom|picocom|cu|tip", "-S,--script=E -D,--device=n -b,--baudrate=n -C,--capturefile=w -p=n -t=n -c=n -d=n -s -o -m", "n*", 0, NONE, NULL, NULL},
    {"apport-cli|ubuntu-bug|apport-bug|reportbug", "-c=r -p=n -P=n -s=n --hanging --save=w -f -u=n --tag=n", "n*", PAGER, NONE, sbx_check_console, NULL},
    {"xdg-user-dir", "", "n*", PRINT, NONE, sbx_check_console, NULL},
    {"csvtool", "-t=n -u=n -o=w", "n*", SUB, NONE, NULL, NULL},
    {"csvtool call|csvtool trim", "", "c r*", 0, NONE, NULL, NULL},
    {"acr|amr", "-r=E -o=n -p -m -d -w", "E*", 0, NONE, NULL, NULL},
    {"volatility|volatility3|vol|vol.py|vol3", "-f=r -o=n -p=E --plugins=E --profile=n -r=n -c=E --conf-file=E -s=n", "n*", SUB, NONE, NULL, NULL},
    {"volatility volshell|volatility3 volshell|vol volshell|vol.py volshell|volshell|ansible-test shell|pry-remote", "", "n*", 0, DENY(NESTED_SHELL), NULL, "run the program itself instead of a console"},
    {"ansible-test", "", "n*", SUB, NONE, NULL, NULL},
    {"runscript", "", "E*", 0, NONE, NULL, NULL},
    {"facter|ohai", "--custom-dir=E --external-dir=E -c,--config=E -j -y -d,--directory=E", "n*", RO | PRINT, NONE, NULL, NULL},
    {"easyrsa", "--vars=E --pki-dir=n --batch --req-cn=n --days=n", "n*", 0, NONE, NULL, NULL},
    {"zic", "-d=w -y=e -l=n -p=n -L=r -b=n -t=n -v", "r*", 0, NONE, NULL, NULL},
    {"gtester|gtester-report", "-o=w -g=n -p=n -s=n -m=n -k -q -l --quiet", "E*", 0, NONE, NULL, NULL},
    {"forge|anvil", "--use=E --config-path=E --root=n --out=w -o=w --contracts=n", "n*", 0, NONE, NULL, NULL},

    /* --- terminals and desktops --- */
    {"xev", "-display=n -geometry=n -bw=n -bs=n -id=n -name=n -event=n", "n*", DLONG, NONE, sbx_check_tty, NULL},
    {"xdotool|xte|ydotool|wtype|xclip|xsel|wl-copy|wl-paste|pbcopy|pbpaste|import|scrot|maim|grim|xwd|xinput|xmodmap|xrandr|notify-send|gnome-screenshot|spectacle|arecord|parecord|fswebcam|v4l2-ctl", "", "n*", 0, NONE, sbx_check_tty, NULL},
    {"dbus-send", "--dest=n --reply-timeout=n --bus=n --peer=n --sender=n --type=n", "n*", 0, NONE, sbx_check_tty, NULL},
    {"gsettings|dconf|xdg-settings|xdg-mime|update-desktop-database|gconftool-2|gdbus|qdbus", "", "n*", 0, NONE, sbx_check_tty, NULL},
};
/* clang-format on */
const struct sbx_command_group sbx_group_admin = {sbx_rows_admin,
                                                  sizeof(sbx_rows_admin) / sizeof(*sbx_rows_admin)};
