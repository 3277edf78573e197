/* Calls that open kernel surface: namespaces, mounts, code in the kernel, foreign ABIs. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/system/tools/attack.h"

/* A kind by the name that /proc/PID/ns has for it. */
static int kind(const char *name)
{
    static const struct {
        const char *name;
        int flag;
    } kinds[] = {
        {"user",   CLONE_NEWUSER  },
        {"mnt",    CLONE_NEWNS    },
        {"pid",    CLONE_NEWPID   },
        {"net",    CLONE_NEWNET   },
        {"ipc",    CLONE_NEWIPC   },
        {"uts",    CLONE_NEWUTS   },
        {"time",   CLONE_NEWTIME  },
        {"cgroup", CLONE_NEWCGROUP},
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (!strcmp(kinds[i].name, name))
            return kinds[i].flag;
    return 0;
}

static int trick_unshare(char **arguments)
{
    return outcome(unshare(kind(arguments[0])), "unshare");
}

static int wait_for(long pid)
{
    int status;
    if (pid == 0)
        _exit(0);
    return pid > 0 && waitpid((pid_t)pid, &status, 0) == pid && !status ? 0 : -1;
}

static int trick_clone(char **arguments)
{
    unsigned long flags = (unsigned long)kind(arguments[0]) | SIGCHLD;
    long pid = syscall(SYS_clone, flags, 0, 0, 0, 0);
    return outcome(wait_for(pid), "clone");
}

/* Flags where no filter sees them. */
static int trick_clone3(char **arguments)
{
    struct clone_args args = {.flags = (uint64_t)(unsigned)kind(arguments[0]),
                              .exit_signal = SIGCHLD};
    return outcome(wait_for(syscall(SYS_clone3, &args, sizeof(args))), "clone3");
}

static int trick_setns(char **arguments)
{
    int fd = open(arguments[0], O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return refused(arguments[0]);
    return outcome(setns(fd, 0), "setns");
}

static int trick_setns_pid(char **arguments)
{
    int fd = (int)syscall(SYS_pidfd_open, atoi(arguments[0]), 0);
    if (fd < 0)
        return refused("pidfd_open");
    return outcome(setns(fd, kind(arguments[1])), "setns");
}

static int trick_mount(char **arguments) /* SOURCE TARGET TYPE FLAGS */
{
    return outcome(
        mount(arguments[0], arguments[1], arguments[2], strtoul(arguments[3], NULL, 0), NULL),
        "mount");
}

static int trick_umount(char **arguments)
{
    return outcome(umount2(arguments[0], MNT_DETACH), "umount");
}

static int trick_open_tree(char **arguments)
{
    return outcome(syscall(SYS_open_tree, AT_FDCWD, arguments[0], 1 /* OPEN_TREE_CLONE */),
                   "open_tree");
}

static int trick_fsopen(char **arguments)
{
    return outcome(syscall(SYS_fsopen, arguments[0], 0), "fsopen");
}

static int trick_mount_setattr(char **arguments)
{
    uint64_t attr[4] = {0, 1 /* MOUNT_ATTR_RDONLY */, 0, 0};
    return outcome(syscall(SYS_mount_setattr, AT_FDCWD, arguments[0], 0, attr, sizeof(attr)),
                   "mount_setattr");
}

static int trick_pivot(char **arguments)
{
    return outcome(syscall(SYS_pivot_root, arguments[0], arguments[1]), "pivot_root");
}

static int trick_chroot(char **arguments)
{
    return outcome(chroot(arguments[0]), "chroot");
}

static int trick_bpf(char **arguments)
{
    (void)arguments;
    union bpf_attr attr;
    memset(&attr, 0, sizeof(attr));
    attr.map_type = BPF_MAP_TYPE_ARRAY;
    attr.key_size = 4;
    attr.value_size = 8;
    attr.max_entries = 1;
    return outcome(syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr)), "bpf");
}

static int trick_perf(char **arguments)
{
    (void)arguments;
    struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
                                   .size = sizeof(attr),
                                   .config = PERF_COUNT_SW_TASK_CLOCK,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    return outcome(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0), "perf_event_open");
}

static int trick_io_uring(char **arguments)
{
    (void)arguments;
    struct io_uring_params params = {0};
    return outcome(syscall(SYS_io_uring_setup, 4, &params), "io_uring_setup");
}

static int trick_userfaultfd(char **arguments)
{
    (void)arguments;
    return outcome(syscall(SYS_userfaultfd, UFFD_USER_MODE_ONLY | O_CLOEXEC), "userfaultfd");
}

static int trick_keyring(char **arguments)
{
    (void)arguments;
    return outcome(syscall(SYS_add_key, "user", "sbxt", "left here", 9, -4 /* @u */), "add_key");
}

static int trick_memfd_secret(char **arguments)
{
    (void)arguments;
    return outcome(syscall(SYS_memfd_secret, 0), "memfd_secret");
}

static int trick_fanotify(char **arguments)
{
    (void)arguments;
    return outcome(syscall(SYS_fanotify_init, 0x200 /* FAN_REPORT_FID */, O_RDONLY), "fanotify");
}

/* Loads nothing: the file is no module. With the privilege the kernel gets so far as to say that. */
static int trick_module(char **arguments)
{
    int fd = open(arguments[0], O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return refused(arguments[0]);
    if (!syscall(SYS_finit_module, fd, "", 0) || errno == ENOEXEC)
        return 0;
    return refused("finit_module");
}

/* A name that no module has. ENOENT is said to the privileged alone. */
static int trick_module_unload(char **arguments)
{
    (void)arguments;
    if (!syscall(SYS_delete_module, "sbxt_none", O_NONBLOCK) || errno == ENOENT)
        return 0;
    return refused("delete_module");
}

static int trick_hostname(char **arguments)
{
    return outcome(sethostname(arguments[0], strlen(arguments[0])), "sethostname");
}

static int trick_dmesg(char **arguments)
{
    (void)arguments;
    char text[64];
    return outcome(syscall(SYS_syslog, 3 /* READ_ALL */, text, sizeof(text)), "syslog");
}

#if defined(__x86_64__)
/* unshare(CLONE_NEWUSER) by its number of 32-bit x86, which means another call to a careless filter. */
static int trick_int80(char **arguments)
{
    (void)arguments;
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(310L), "b"((long)CLONE_NEWUSER) : "memory");
    errno = result < 0 ? (int)-result : 0;
    return outcome(result, "int 0x80 unshare");
}

/* The same with x32's bit in the number. */
static int trick_x32(char **arguments)
{
    (void)arguments;
    return outcome(syscall(SYS_unshare | 0x40000000, CLONE_NEWUSER), "x32 unshare");
}
#else
static int trick_int80(char **arguments)
{
    (void)arguments;
    errno = ENOSYS;
    return refused("not on this machine");
}
#define trick_x32 trick_int80
#endif

/* The flag together with bits that the kernel ignores in the upper half of the register. */
static int trick_clone_high(char **arguments)
{
    (void)arguments;
    unsigned long flags = (unsigned long)CLONE_NEWUSER | SIGCHLD | (1ul << 40);
    return outcome(wait_for(syscall(SYS_clone, flags, 0, 0, 0, 0)), "clone");
}

static int trick_unshare_high(char **arguments)
{
    (void)arguments;
    return outcome(syscall(SYS_unshare, (unsigned long)CLONE_NEWUSER | (1ul << 40)), "unshare");
}

static int trick_quota(char **arguments)
{
    (void)arguments;
    if (!syscall(SYS_quotactl, 0x800001 << 8, NULL, 0, NULL) || errno == ENODEV || errno == ENOTBLK)
        return 0;
    return refused("quotactl");
}

const struct trick kernel_tricks[] = {
    {"unshare",       1, trick_unshare      },
    {"unshare-high",  0, trick_unshare_high },
    {"clone",         1, trick_clone        },
    {"clone-high",    0, trick_clone_high   },
    {"clone3",        1, trick_clone3       },
    {"setns",         1, trick_setns        },
    {"setns-pid",     2, trick_setns_pid    },
    {"mount",         4, trick_mount        },
    {"umount",        1, trick_umount       },
    {"open-tree",     1, trick_open_tree    },
    {"fsopen",        1, trick_fsopen       },
    {"mount-setattr", 1, trick_mount_setattr},
    {"pivot",         2, trick_pivot        },
    {"chroot",        1, trick_chroot       },
    {"bpf",           0, trick_bpf          },
    {"perf",          0, trick_perf         },
    {"io-uring",      0, trick_io_uring     },
    {"userfaultfd",   0, trick_userfaultfd  },
    {"keyring",       0, trick_keyring      },
    {"memfd-secret",  0, trick_memfd_secret },
    {"fanotify",      0, trick_fanotify     },
    {"module",        1, trick_module       },
    {"module-unload", 0, trick_module_unload},
    {"hostname",      1, trick_hostname     },
    {"dmesg",         0, trick_dmesg        },
    {"quota",         0, trick_quota        },
    {"int80",         0, trick_int80        },
    {"x32",           0, trick_x32          },
    {NULL,            0, NULL               },
};
