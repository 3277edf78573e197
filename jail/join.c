#include "jail/join.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/caps.h"
#include "jail/seccomp.h"
#include "jail/sessiondir.h"
#include "jail/sys.h"
#include "policy/cleanup.h"

#define JOIN_NAMESPACES                                                                            \
    (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

/* "0" is the writer itself: no pid that could mean another process meanwhile. Of a program with
 * threads it can be this thread alone; that one cannot enter a mount namespace, so it is refused. */
static int enter_cgroups(const struct sbx_join *join, struct sbx_err *err)
{
    if (join->procs_count > SBX_JOIN_CGROUPS || join->rlimit_count > SBX_JOIN_RLIMITS)
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "too many control groups or limits");
    for (unsigned i = 0; i < join->procs_count; i++)
        if (write(join->procs_fd[i], "0", 1) != 1)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot enter the jail's control group");
    return 0;
}

/* A core limit of 0 does not stop a core that is piped to a program of root's; 1 does. */
static bool are_cores_piped(void)
{
    _cleanup_fd_ int fd = open("/proc/sys/kernel/core_pattern", O_RDONLY | O_CLOEXEC);
    char first = '|';
    return fd < 0 || read(fd, &first, 1) != 1 || first == '|';
}

/* A login may start below what the jail allows, and only CAP_SYS_RESOURCE, which root lacks in many
 * containers, could raise it (sudo starts programs with a core limit of 0): less is kept. */
static int set_limit(int resource, rlim_t value, struct sbx_err *err)
{
    struct rlimit limit = {value, value}, now;
    if (setrlimit((__rlimit_resource_t)resource, &limit)) {
        int saved = errno;
        if (saved != EPERM || getrlimit((__rlimit_resource_t)resource, &now) ||
            now.rlim_max >= value || (resource == RLIMIT_CORE && are_cores_piped()))
            return sbx_fail(err, SBX_E_SYSTEM, saved, "cannot set resource limit %d", resource);
        limit = (struct rlimit){now.rlim_max, now.rlim_max};
        if (setrlimit((__rlimit_resource_t)resource, &limit))
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot keep resource limit %d", resource);
    }
    if (getrlimit((__rlimit_resource_t)resource, &now) || now.rlim_cur != limit.rlim_cur ||
        now.rlim_max != limit.rlim_max)
        return sbx_fail(err, SBX_E_SYSTEM, 0, "resource limit %d did not hold", resource);
    return 0;
}

int sbx_join_remove_mark(struct sbx_err *err)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_LOCKS, &limit))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the limit on locks");
    if (limit.rlim_cur != SBX_SESSION_MARK)
        return 0;
    limit.rlim_cur = limit.rlim_max == SBX_SESSION_MARK ? SBX_SESSION_MARK - 1 : limit.rlim_max;
    if (setrlimit(RLIMIT_LOCKS, &limit))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set the limit on locks");
    return 0;
}

static int set_limits(const struct sbx_join *join, struct sbx_err *err)
{
    for (unsigned i = 0; i < join->rlimit_count; i++)
        if (set_limit(join->rlimit[i].resource, join->rlimit[i].value, err))
            return -1;
    return sbx_join_remove_mark(err);
}

static int set_no_new_privs(struct sbx_err *err)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set no_new_privs");
    return 0;
}

/* The pid behind a pidfd in this pid namespace's numbers, from the kernel's own words. */
static pid_t pidfd_pid(int pidfd)
{
    static const char field[] = "Pid:";
    char path[64], line[128], *end;
    (void)snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
    _cleanup_file_ FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof(line), file)) {
        if (strncmp(line, field, sizeof(field) - 1))
            continue;
        long pid = strtol(line + sizeof(field) - 1, &end, 10);
        return *end == '\n' && pid > 0 && pid <= INT_MAX ? (pid_t)pid : -1;
    }
    return -1;
}

/* The mount namespace of init, read before the join while this process still sees it in /proc. The
 * pid is its own as long as the pidfd says afterwards that it lives. */
static int init_mounts(int init_pidfd, struct stat *st, struct sbx_err *err)
{
    pid_t pid = pidfd_pid(init_pidfd);
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
    if (pid <= 0 || stat(path, st) || sbx_sys_pidfd_send_signal(init_pidfd, 0))
        return sbx_fail(err, SBX_E_GONE, errno, "the jail's init is gone");
    return 0;
}

/* The same directory by its path in the jail's view. The account may have put links into its own
 * directories there: none is followed. No such directory: "/". */
static int restore_cwd(const char *cwd, struct sbx_err *err)
{
    const struct sbx_open_how how = {
        .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
        .resolve = SBX_RESOLVE_NO_SYMLINKS | SBX_RESOLVE_NO_MAGICLINKS,
    };
    _cleanup_fd_ int fd = cwd[0] == '/' ? sbx_sys_openat2(AT_FDCWD, cwd, &how) : -1;
    if (fd >= 0 && fchdir(fd) == 0)
        return 0;
    _cleanup_fd_ int root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root_fd < 0 || fchdir(root_fd))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot enter the jail's root directory");
    return 0;
}

static int is_inside(int self_ns_fd, const struct stat *expected, struct sbx_err *err)
{
    struct stat now;
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return sbx_fail(err, SBX_E_SYSTEM, 0, "no_new_privs did not hold");
    if (fstatat(self_ns_fd, "mnt", &now, 0))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read this process's mount namespace");
    if (now.st_dev != expected->st_dev || now.st_ino != expected->st_ino)
        return sbx_fail(err, SBX_E_SYSTEM, 0, "this process is not in the jail's view");
    return 0;
}

static int enter_view(const struct sbx_join *join, int *entered, struct sbx_err *err)
{
    struct stat expected;
    char cwd[PATH_MAX] = "";
    if (init_mounts(join->init_pidfd, &expected, err))
        return -1;
    /* Held open: this process has no entry of its own in the jail's /proc, only its children do. */
    _cleanup_fd_ int self_ns_fd = open("/proc/self/ns", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (self_ns_fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open this process's namespaces");
    if (!getcwd(cwd, sizeof(cwd)))
        cwd[0] = '\0';
    /* All or nothing: the kernel installs every namespace or none. */
    if (setns(join->init_pidfd, JOIN_NAMESPACES))
        return sbx_fail(err, errno == ESRCH ? SBX_E_GONE : SBX_E_SYSTEM, errno,
                        "cannot enter the jail's namespaces");
    *entered = 1;
    if (restore_cwd(cwd, err) || is_inside(self_ns_fd, &expected, err))
        return -1;
    return 0;
}

/* By the name that it has inside. */
static int seal(struct sbx_err *err)
{
    struct sbx_sessiondir session;
    int failed = sbx_sessiondir_open(&session, err) || sbx_sessiondir_seal(&session, err);
    _cleanup_fd_ int fd = session.fd;
    return failed ? -1 : 0;
}

int sbx_join_enter(const struct sbx_join *join, int *entered, struct sbx_err *err)
{
    *entered = 0;
    if (join->init_pidfd < 0 || !join->filter || !join->filter_count)
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "not all that a jail needs was handed over");
    if (enter_cgroups(join, err) || set_limits(join, err) || set_no_new_privs(err) ||
        sbx_caps_drop_bounding(err) || enter_view(join, entered, err) ||
        sbx_seccomp_load(join->filter, join->filter_count, err) || seal(err))
        return sbx_err_prefix(err, "cannot join the jail: ");
    return 0;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

void sbx_join_release(struct sbx_join *join)
{
    close_fd(&join->init_pidfd);
    for (unsigned i = 0; i < join->procs_count && i < SBX_JOIN_CGROUPS; i++)
        close_fd(&join->procs_fd[i]);
    free(join->filter);
    *join = SBX_JOIN_INIT;
}
