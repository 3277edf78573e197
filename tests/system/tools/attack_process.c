/* Other processes, terminals and limits. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/system/tools/attack.h"

static int trick_ptrace(char **arguments)
{
    pid_t pid = (pid_t)atoi(arguments[0]);
    if (ptrace(PTRACE_SEIZE, pid, NULL, NULL))
        return refused("ptrace");
    return 0;
}

/* A traced child's system calls could be changed after a filter saw them. */
static int trick_traceme(char **arguments)
{
    (void)arguments;
    return outcome(ptrace(PTRACE_TRACEME, 0, NULL, NULL), "PTRACE_TRACEME");
}

static int trick_vm(char **arguments) /* r|w PID */
{
    static char buffer[16];
    char text[64];
    unsigned long address = 0;
    (void)snprintf(text, sizeof(text), "/proc/%s/stat", arguments[1]);
    /* Any address does to ask for permission: EFAULT comes after it. */
    struct iovec local = {buffer, sizeof(buffer)}, remote = {(void *)(address + 4096), 16};
    pid_t pid = (pid_t)atoi(arguments[1]);
    ssize_t got = arguments[0][0] == 'r' ? process_vm_readv(pid, &local, 1, &remote, 1, 0)
                                         : process_vm_writev(pid, &local, 1, &remote, 1, 0);
    return got >= 0 || errno == EFAULT ? 0 : refused("process_vm");
}

static int trick_getfd(char **arguments) /* PID FD: out of another process's table */
{
    int fd = (int)syscall(SYS_pidfd_open, atoi(arguments[0]), 0);
    if (fd < 0)
        return refused("pidfd_open");
    return outcome(syscall(SYS_pidfd_getfd, fd, atoi(arguments[1]), 0), "pidfd_getfd");
}

static int trick_kcmp(char **arguments)
{
    return outcome(syscall(SYS_kcmp, getpid(), atoi(arguments[0]), 2 /* KCMP_VM */, 0, 0), "kcmp");
}

/* Types into a terminal ("-" the one that is standard input) as if a human did; HIGH sets bits above the 32 that the kernel looks at. */
static int trick_type(char **arguments) /* TERMINAL TEXT low|high */
{
    unsigned long request = TIOCSTI;
    int fd = strcmp(arguments[0], "-") ? open(arguments[0], O_RDWR | O_NOCTTY | O_CLOEXEC) : 0;
    if (fd < 0)
        return refused(arguments[0]);
    if (!strcmp(arguments[2], "high"))
        request |= 1ul << 32;
    for (char *at = arguments[1]; *at; at++)
        if (syscall(SYS_ioctl, fd, request, at) < 0)
            return refused("TIOCSTI");
    return 0;
}

static int trick_terminal(char **arguments) /* linux|setd|cons: other calls on one of its own */
{
    int master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC), zero = 0, ldisc = 0;
    char code = 3, *name;
    if (master < 0 || ioctl(master, TIOCSPTLCK, &zero) || !(name = ptsname(master)))
        return refused("ptmx");
    int fd = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return refused(name);
    if (!strcmp(arguments[0], "setd"))
        return outcome(ioctl(fd, TIOCSETD, &ldisc), "TIOCSETD");
    if (!strcmp(arguments[0], "cons"))
        return outcome(ioctl(fd, TIOCCONS, 0), "TIOCCONS");
    return outcome(ioctl(fd, TIOCLINUX, &code), "TIOCLINUX");
}

static int trick_take_terminal(char **arguments) /* becomes somebody's controlling terminal */
{
    int fd = open(arguments[0], O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return refused(arguments[0]);
    (void)setsid();
    return outcome(ioctl(fd, TIOCSCTTY, 1), "TIOCSCTTY");
}

static int trick_raise(char **arguments) /* LIMIT VALUE, soft and hard */
{
    struct rlimit limit, now;
    int resource = atoi(arguments[0]);
    limit.rlim_cur = limit.rlim_max = strtoull(arguments[1], NULL, 10);
    if (setrlimit((__rlimit_resource_t)resource, &limit) ||
        getrlimit((__rlimit_resource_t)resource, &now))
        return refused("setrlimit");
    return now.rlim_max == limit.rlim_max ? 0 : 1;
}

static int
trick_prlimit(char **arguments) /* LIMIT VALUE, by the other call, with the old one asked */
{
    struct rlimit limit, now;
    __rlimit_resource_t resource = (__rlimit_resource_t)atoi(arguments[0]);
    limit.rlim_cur = limit.rlim_max = strtoull(arguments[1], NULL, 10);
    if (prlimit(0, resource, &limit, &now) || prlimit(0, resource, NULL, &now))
        return refused("prlimit");
    return now.rlim_max == limit.rlim_max ? 0 : 1;
}

static int trick_realtime(char **arguments)
{
    (void)arguments;
    const struct sched_param param = {.sched_priority = 1};
    return outcome(sched_setscheduler(0, SCHED_FIFO, &param), "sched_setscheduler");
}

static int trick_nice(char **arguments)
{
    return outcome(setpriority(PRIO_PROCESS, 0, atoi(arguments[0])), "setpriority");
}

static int trick_become(char **arguments) /* UID */
{
    uid_t uid = (uid_t)strtoul(arguments[0], NULL, 10);
    return setresuid(uid, uid, uid) ? refused("setresuid") : getuid() == uid ? 0 : 1;
}

static int trick_join_group(char **arguments) /* GID as supplementary group */
{
    gid_t gid = (gid_t)strtoul(arguments[0], NULL, 10);
    return outcome(setgroups(1, &gid), "setgroups");
}

static int trick_ambient(char **arguments)
{
    (void)arguments;
    return outcome(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21 /* CAP_SYS_ADMIN */, 0, 0),
                   "PR_CAP_AMBIENT");
}

static int trick_new_privs(char **arguments) /* takes no_new_privs back */
{
    (void)arguments;
    (void)prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0);
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? 0 : 1;
}

static int trick_dumpable(char **arguments) /* PID: is its memory open to this one? */
{
    char path[64], byte;
    (void)snprintf(path, sizeof(path), "/proc/%s/mem", arguments[0]);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return refused(path);
    return pread(fd, &byte, 1, 4096) == 1 || errno == EIO ? 0 : refused("pread");
}

/* As many children as there may be, all alive at once. Prints their number. */
static int trick_fork_bomb(char **arguments) /* AT-MOST */
{
    int most = atoi(arguments[0]), made = 0, pipes[2];
    if (pipe(pipes))
        return refused("pipe");
    for (; made < most; made++) {
        pid_t pid = fork();
        if (pid < 0)
            break;
        if (pid == 0) {
            char byte;
            (void)close(pipes[1]);
            (void)!read(pipes[0], &byte, 1); /* until the first one ends */
            _exit(0);
        }
    }
    (void)printf("%d\n", made);
    (void)fflush(stdout);
    (void)close(pipes[1]);
    while (wait(NULL) > 0)
        ;
    return 0;
}

static int trick_hold(char **arguments) /* COUNT children for three seconds */
{
    for (int left = atoi(arguments[0]); left > 0; left--)
        if (fork() == 0)
            break;
    (void)sleep(3);
    return 0;
}

static int trick_memory(char **arguments) /* MIB: touched, all of it */
{
    size_t bytes = (size_t)atoi(arguments[0]) << 20;
    char *memory = malloc(bytes);
    if (!memory)
        return refused("malloc");
    for (size_t i = 0; i < bytes; i += 4096)
        memory[i] = 1;
    (void)printf("%s\n", arguments[0]);
    (void)fflush(stdout);
    return 0;
}

static int trick_hog(char **arguments) /* the same, and keeps it */
{
    if (trick_memory(arguments))
        return 1;
    (void)sleep(5);
    return 0;
}

static int trick_files(char **arguments) /* AT-MOST descriptors; prints how many it got */
{
    int most = atoi(arguments[0]), got = 0;
    while (got < most && open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
        got++;
    (void)printf("%d\n", got);
    return 0;
}

static int trick_terminals(char **arguments) /* AT-MOST of the host's or the jail's */
{
    int most = atoi(arguments[0]), got = 0;
    while (got < most && open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC) >= 0)
        got++;
    (void)printf("%d\n", got);
    return 0;
}

static void *go_on(void *seconds)
{
    (void)prctl(PR_SET_NAME, "headless");
    (void)sleep((unsigned)atoi(seconds));
    return NULL;
}

static int trick_headless(char **arguments) /* SECONDS: the first thread ends at once */
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, go_on, arguments[0]))
        return refused("pthread_create");
    (void)syscall(SYS_exit, 0);
    return 0;
}

const struct trick process_tricks[] = {
    {"ptrace",        1, trick_ptrace       },
    {"traceme",       0, trick_traceme      },
    {"headless",      1, trick_headless     },
    {"vm",            2, trick_vm           },
    {"getfd",         2, trick_getfd        },
    {"kcmp",          1, trick_kcmp         },
    {"type",          3, trick_type         },
    {"terminal",      1, trick_terminal     },
    {"take-terminal", 1, trick_take_terminal},
    {"raise",         2, trick_raise        },
    {"prlimit",       2, trick_prlimit      },
    {"realtime",      0, trick_realtime     },
    {"nice",          1, trick_nice         },
    {"become",        1, trick_become       },
    {"join-group",    1, trick_join_group   },
    {"ambient",       0, trick_ambient      },
    {"new-privs",     0, trick_new_privs    },
    {"mem",           1, trick_dumpable     },
    {"fork-bomb",     1, trick_fork_bomb    },
    {"hold",          1, trick_hold         },
    {"hog",           1, trick_hog          },
    {"memory",        1, trick_memory       },
    {"files",         1, trick_files        },
    {"terminals",     1, trick_terminals    },
    {NULL,            0, NULL               },
};
