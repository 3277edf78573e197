/* The deny list: at every join, whatever runs afterwards (sshd's user child, su, sudo, cron).
 *
 * Those still call setgroups, setresuid and, for sshd's ChrootDirectory, chroot; the kernel asks for
 * capabilities there that the account never has, so these pass. */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "jail/seccomp_rules.h"

#define EPERM_LOGGED SCMP_ACT_ERRNO(EPERM), true

/* clang-format off */
static const struct sbx_call namespaces[] = {{"unshare", 0}, {"setns", 0}, {NULL, 0}};

static const struct sbx_call mounts[] = {
    {"mount", 0},      {"umount2", 0},           {"umount", 0},       {"pivot_root", 0},
    {"open_tree", 428}, {"move_mount", 429},     {"fsopen", 430},     {"fsconfig", 431},
    {"fsmount", 432},  {"fspick", 433},          {"mount_setattr", 442}, {"open_tree_attr", 467},
    {"quotactl", 0},   {"quotactl_fd", 443},     {"swapon", 0},       {"swapoff", 0},
    {NULL, 0},
};

static const struct sbx_call kernel_code[] = {
    {"init_module", 0},     {"finit_module", 0}, {"delete_module", 0},   {"create_module", 0},
    {"kexec_load", 0},      {"kexec_file_load", 0}, {"bpf", 0},          {"perf_event_open", 0},
    {"userfaultfd", 0},     {"io_uring_setup", 425}, {"io_uring_enter", 426},
    {"io_uring_register", 427}, {NULL, 0},
};

/* The machine's own state: needs capabilities, but the attempt shall be seen. */
static const struct sbx_call machine[] = {
    {"acct", 0},        {"reboot", 0},      {"settimeofday", 0},  {"clock_settime", 0},
    {"sethostname", 0}, {"setdomainname", 0}, {"syslog", 0},      {"vhangup", 0},
    {"iopl", 0},        {"ioperm", 0},      {"lookup_dcookie", 0}, {"nfsservctl", 0},
    {"uselib", 0},      {"fanotify_init", 0}, {"fanotify_mark", 0}, {"memfd_secret", 447},
    {NULL, 0},
};

/* Files and descriptors that no path leads to: around the view (open_by_handle_at) or out of
 * another process's table. */
static const struct sbx_call handles[] = {
    {"open_by_handle_at", 0}, {"pidfd_getfd", 438}, {NULL, 0}};

static const struct sbx_call tracing[] = {
    {"ptrace", 0}, {"process_vm_readv", 0}, {"process_vm_writev", 0}, {"kcmp", 0}, {NULL, 0}};

/* Kernel keyrings are shared by uid across namespaces. ENOSYS is what pam_keyinit and Kerberos take
 * for "not there"; EPERM would fail a su session. */
static const struct sbx_call keyrings[] = {
    {"keyctl", 0}, {"add_key", 0}, {"request_key", 0}, {NULL, 0}};

/* Their arguments lie in memory, where a filter cannot look: flags of clone3, the mode of openat2.
 * Libraries fall back to clone and openat, and try these all the time: quiet. */
static const struct sbx_call unseeable[] = {{"clone3", 435}, {"openat2", 437}, {NULL, 0}};

static const struct sbx_call_group groups[] = {
    {"namespaces",  namespaces,  EPERM_LOGGED,                  SBX_WHEN_ALWAYS   },
    {"mounts",      mounts,      EPERM_LOGGED,                  SBX_WHEN_ALWAYS   },
    {"kernel code", kernel_code, EPERM_LOGGED,                  SBX_WHEN_ALWAYS   },
    {"machine",     machine,     EPERM_LOGGED,                  SBX_WHEN_ALWAYS   },
    {"handles",     handles,     EPERM_LOGGED,                  SBX_WHEN_ALWAYS   },
    {"tracing",     tracing,     EPERM_LOGGED,                  SBX_WHEN_NO_PTRACE},
    {"keyrings",    keyrings,    SCMP_ACT_ERRNO(ENOSYS), true,  SBX_WHEN_ALWAYS   },
    {"unseeable",   unseeable,   SCMP_ACT_ERRNO(ENOSYS), false, SBX_WHEN_ALWAYS   },
};
/* clang-format on */

const struct sbx_call_group *const sbx_denied_groups = groups;
const size_t sbx_denied_group_count = sizeof(groups) / sizeof(*groups);

/* clang-format off */
/* clone(2) has its flags where they can be seen, first on x86_64 and aarch64 alike. */
#define CLONE_ROW(flag) {{"clone", 0}, EPERM_LOGGED, 1, {SBX_BITS(0, flag, flag)}}

/* Set-id bits: inside the view they mean nothing (nosuid), but the file is a real one on the host,
 * where another account could run it (A18). One row a bit, since either is enough. */
#define MODE_ROW(name, nr, arg, bit) {{name, nr}, EPERM_LOGGED, 1, {SBX_BITS(arg, bit, bit)}}
#define MODE_ROWS(name, nr, arg) \
    MODE_ROW(name, nr, arg, S_ISUID), MODE_ROW(name, nr, arg, S_ISGID)

/* A mode counts only with O_CREAT or O_TMPFILE: otherwise the register holds anything. */
#define TMPFILE_BIT ((scmp_datum_t)(O_TMPFILE & ~O_DIRECTORY))
#define CREATE_ROW(name, flags, flag, mode, bit) \
    {{name, 0}, EPERM_LOGGED, 2, {SBX_BITS(flags, flag, flag), SBX_BITS(mode, bit, bit)}}
#define CREATE_ROWS(name, flags, mode) \
    CREATE_ROW(name, flags, O_CREAT, mode, S_ISUID), \
    CREATE_ROW(name, flags, O_CREAT, mode, S_ISGID), \
    CREATE_ROW(name, flags, TMPFILE_BIT, mode, S_ISUID), \
    CREATE_ROW(name, flags, TMPFILE_BIT, mode, S_ISGID)

#define TIOCLINUX_NR 0x541c /* <asm/ioctls.h>, the same on all architectures that we know */
#define IOCTL_ROW(request) {{"ioctl", 0}, EPERM_LOGGED, 1, {SBX_LOW32(1, request)}}

/* Families: 1 unix, 2 inet, 10 inet6, 16 netlink pass. A domain with high bits set is above 16. */
#define FAMILY_QUIET SCMP_ACT_ERRNO(EAFNOSUPPORT), false
#define FAMILY_ROW(family) {{"socket", 0}, FAMILY_QUIET, 1, {SBX_COMPARE(0, SCMP_CMP_EQ, family)}}

/* Transports beyond TCP, UDP and ping would load modules (SCTP, DCCP, SMC, L2TP) or leave by a way
 * that the filter of the network does not see (MPTCP). Go and curl fall back on this answer. */
#define PROTOCOL_ROW(family, how, protocol) \
    {{"socket", 0}, SCMP_ACT_ERRNO(EPROTONOSUPPORT), false, 2, \
     {SBX_COMPARE(0, SCMP_CMP_EQ, family), SBX_COMPARE(2, how, protocol)}}
#define PROTOCOL_ROWS(family) \
    PROTOCOL_ROW(family, SCMP_CMP_EQ, IPPROTO_DCCP), \
    PROTOCOL_ROW(family, SCMP_CMP_GT, IPPROTO_ICMPV6)

/* Both ends of a datagram pair can be connected anew, to any path or abstract name; the kernel
 * makes a datagram socket of SOCK_RAW too. The type's flags lie above its low four bits. */
#define DATAGRAM_PAIR(type) {{"socketpair", 0}, EPERM_LOGGED, 1, {SBX_BITS(1, 0xf, type)}}

static const struct sbx_call_rule rules[] = {
    CLONE_ROW(CLONE_NEWNS), CLONE_ROW(CLONE_NEWCGROUP), CLONE_ROW(CLONE_NEWUTS),
    CLONE_ROW(CLONE_NEWIPC), CLONE_ROW(CLONE_NEWUSER), CLONE_ROW(CLONE_NEWPID),
    CLONE_ROW(CLONE_NEWNET),

    MODE_ROWS("chmod", 0, 1), MODE_ROWS("fchmod", 0, 1), MODE_ROWS("fchmodat", 0, 2),
    MODE_ROWS("fchmodat2", 452, 2), MODE_ROWS("creat", 0, 1), MODE_ROWS("mkdir", 0, 1),
    MODE_ROWS("mkdirat", 0, 2), MODE_ROWS("mknod", 0, 1), MODE_ROWS("mknodat", 0, 2),
    CREATE_ROWS("open", 1, 2), CREATE_ROWS("openat", 2, 3),

    IOCTL_ROW(TIOCSTI), IOCTL_ROW(TIOCSETD), IOCTL_ROW(TIOCLINUX_NR), IOCTL_ROW(TIOCCONS),

    FAMILY_ROW(0), FAMILY_ROW(3), FAMILY_ROW(4), FAMILY_ROW(5), FAMILY_ROW(6), FAMILY_ROW(7),
    FAMILY_ROW(8), FAMILY_ROW(9), FAMILY_ROW(11), FAMILY_ROW(12), FAMILY_ROW(13), FAMILY_ROW(14),
    FAMILY_ROW(15),
    {{"socket", 0}, FAMILY_QUIET, 1, {SBX_COMPARE(0, SCMP_CMP_GT, AF_NETLINK)}},
    {{"socket", 0}, FAMILY_QUIET, 2,
     {SBX_COMPARE(0, SCMP_CMP_EQ, AF_NETLINK), SBX_COMPARE(2, SCMP_CMP_NE, 0 /* NETLINK_ROUTE */)}},
    PROTOCOL_ROWS(AF_INET), PROTOCOL_ROWS(AF_INET6),
    {{"socketpair", 0}, FAMILY_QUIET, 1, {SBX_COMPARE(0, SCMP_CMP_NE, AF_UNIX)}},
    DATAGRAM_PAIR(SOCK_DGRAM), DATAGRAM_PAIR(SOCK_RAW),

    /* The warden's limit of 1 keeps a piped core pattern from running its helper as root on the
     * host; 0 would not, and the account may lower 1 to 0 (A17). Told "done" and left as it is; who
     * also asks for the old value cannot be told that. */
    {{"setrlimit", 0}, SCMP_ACT_ERRNO(0), false, 1, {SBX_LOW32(0, RLIMIT_CORE)}},
    {{"prlimit64", 0}, SCMP_ACT_ERRNO(0), false, 3,
     {SBX_LOW32(1, RLIMIT_CORE), SBX_COMPARE(2, SCMP_CMP_NE, 0), SBX_COMPARE(3, SCMP_CMP_EQ, 0)}},
    {{"prlimit64", 0}, EPERM_LOGGED, 3,
     {SBX_LOW32(1, RLIMIT_CORE), SBX_COMPARE(2, SCMP_CMP_NE, 0), SBX_COMPARE(3, SCMP_CMP_NE, 0)}},
};
/* clang-format on */

const struct sbx_filter_tables sbx_deny_tables = {
    .groups = groups,
    .group_count = sizeof(groups) / sizeof(*groups),
    .rules = rules,
    .rule_count = sizeof(rules) / sizeof(*rules),
    .default_action = SCMP_ACT_ALLOW,
};
