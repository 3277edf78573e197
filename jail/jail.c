#include "jail/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "jail/caps.h"
#include "jail/sys.h"
#include "jail/view.h"
#include "policy/cleanup.h"

/* What the builder tells the warden before it has become sbx-init. */
enum { WORD_NOTE = 0, WORD_GUARD, WORD_ERROR };
struct word {
    uint32_t kind;
    struct sbx_guard guard; /* its path is the message */
    struct sbx_err err;
};
#define END_TIMEOUT_MS 10000
#define READY_BYTE     'R'

struct builder {
    const struct sbx_jail_spec *spec;
    int line_fd;
};

static void send_word(const struct builder *builder, uint32_t kind, const char *text)
{
    struct word word = {.kind = kind};
    (void)snprintf(word.err.message, sizeof(word.err.message), "%s", text);
    (void)send(builder->line_fd, &word, sizeof(word), MSG_NOSIGNAL);
}

static void send_note(void *data, const char *message)
{
    send_word(data, WORD_NOTE, message);
}

static void send_guard(void *data, const struct sbx_guard *guard)
{
    const struct builder *builder = data;
    struct word word = {.kind = WORD_GUARD, .guard = *guard};
    size_t len = strlen(guard->path);
    word.guard.path = NULL; /* an address of this process */
    /* A path that does not fit cannot be watched, and the warden must hear that. */
    if (len < sizeof(word.err.message))
        memcpy(word.err.message, guard->path, len + 1);
    (void)send(builder->line_fd, &word, sizeof(word), MSG_NOSIGNAL);
}

/* netdevice(7): the one interface a new network namespace has. */
static int raise_loopback(struct sbx_err *err)
{
    _cleanup_fd_ int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq request = {.ifr_name = "lo"};
    if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &request))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot see the loopback interface");
    request.ifr_flags = (short)(request.ifr_flags | IFF_UP);
    if (ioctl(fd, SIOCSIFFLAGS, &request))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot raise the loopback interface");
    return 0;
}

static int open_below(const char *run_path, const char *name, int flags, struct sbx_err *err)
{
    char path[512];
    int n = snprintf(path, sizeof(path), "%s/%s", run_path, name);
    int fd = n < (int)sizeof(path) ? open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC | flags) : -1;
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open %s/%s", run_path, name);
    return fd;
}

static int enter_view(struct builder *builder, struct sbx_err *err)
{
    const struct sbx_jail_spec *spec = builder->spec;
    _cleanup_fd_ int stage = open_below(spec->run_path, "stage", O_DIRECTORY, err);
    _cleanup_fd_ int mask_dir = open_below(spec->run_path, "mask/dir", O_DIRECTORY, err);
    _cleanup_fd_ int mask_file = open_below(spec->run_path, "mask/file", 0, err);
    if (stage < 0 || mask_dir < 0 || mask_file < 0)
        return -1;
    const struct sbx_view_input input = {
        .plan = spec->plan,
        .policy = spec->policy,
        .account = spec->account,
        .account_name = spec->account_name,
        .stage_fd = stage,
        .mask_dir_fd = mask_dir,
        .mask_file_fd = mask_file,
        .note = send_note,
        .guard = send_guard,
        .data = builder,
    };
    return sbx_view_enter(&input, err);
}

/* Never chosen by the out-of-memory killer: the limits of the jail are the jail's to feel. In a
 * container root may lack CAP_SYS_RESOURCE; a jail that can be ended for memory is told, not refused. */
static int spare_from_oom(struct builder *builder, struct sbx_err *err)
{
    _cleanup_fd_ int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open oom_score_adj of sbx-init");
    if (write(fd, "-1000", 5) == 5)
        return 0;
    if (errno != EACCES)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set oom_score_adj of sbx-init");
    send_note(builder, "root lacks CAP_SYS_RESOURCE here: sbx-init can be killed for memory");
    return 0;
}

/* The last steps before sbx-init: no privilege, no descriptor but its line, no way back. */
static int become_init(struct builder *builder, struct sbx_err *err)
{
    const struct sbx_jail_spec *spec = builder->spec;
    char *const argv[] = {(char[]){"sbx-init"}, NULL};
    char *const envp[] = {NULL};
    if (spare_from_oom(builder, err))
        return -1;
    /* Moved up first, so that no dup2 covers a source of a later one. */
    int init_fd = fcntl(spec->init_fd, F_DUPFD_CLOEXEC, SBX_INIT_FILTER_FD + 1);
    int filter_fd = fcntl(spec->init_filter_fd, F_DUPFD_CLOEXEC, SBX_INIT_FILTER_FD + 1);
    int line = fcntl(builder->line_fd, F_DUPFD_CLOEXEC, SBX_INIT_FILTER_FD + 1);
    int line_fd = line < 0 ? -1 : dup2(line, SBX_INIT_LINE_FD);
    if (init_fd < 0 || line_fd < 0 || dup2(filter_fd, SBX_INIT_FILTER_FD) < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot place the descriptors of sbx-init");
    builder->line_fd = line_fd;
    if (sbx_caps_become(spec->init_uid, spec->init_gid, NULL, 0, err))
        return -1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_PDEATHSIG, SIGKILL))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot restrict sbx-init");
    (void)sbx_sys_close_range(0, 2, 0);
    if (sbx_sys_close_range(SBX_INIT_FILTER_FD + 1u, ~0u, SBX_CLOSE_RANGE_CLOEXEC))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot close descriptors");
    (void)syscall(SYS_execveat, init_fd, "", argv, envp, AT_EMPTY_PATH);
    return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot execute sbx-init");
}

static int build_inside(struct builder *builder, struct sbx_err *err)
{
    const struct sbx_jail_spec *spec = builder->spec;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot tie the builder to the warden");
    /* After the birth in the jail's cgroup, so that this is the namespace's root. */
    if (unshare(CLONE_NEWCGROUP))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a cgroup namespace");
    if (spec->hostname && sethostname(spec->hostname, strlen(spec->hostname)))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set the host name %s", spec->hostname);
    if (raise_loopback(err) || enter_view(builder, err))
        return -1;
    return become_init(builder, err);
}

static void build_and_report(const struct sbx_jail_spec *spec, int line_fd)
{
    struct builder builder = {.spec = spec, .line_fd = line_fd};
    struct word word = {.kind = WORD_ERROR, .err = SBX_ERR_INIT};
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)build_inside(&builder, &word.err);
    (void)send(builder.line_fd, &word, sizeof(word), MSG_NOSIGNAL);
    _exit(1);
}

static int64_t now_ms(void)
{
    struct timespec ts;
    (void)clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Waits for the byte of sbx-init; passes notes on. */
static int await_ready(const struct sbx_jail_spec *spec, int line_fd, struct sbx_err *err)
{
    int64_t deadline = now_ms() + SBX_BUILD_TIMEOUT_MS;
    for (;;) {
        struct pollfd poll_fd = {.fd = line_fd, .events = POLLIN};
        int64_t left = deadline - now_ms();
        int n = left > 0 ? poll(&poll_fd, 1, (int)left) : 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return sbx_fail(err, SBX_E_MOUNT, n < 0 ? errno : ETIMEDOUT,
                            "the jail was not ready in time; a file system may hang");
        struct word word;
        ssize_t got = recv(line_fd, &word, sizeof(word), 0);
        if (got == 1 && *(const char *)&word == READY_BYTE)
            return 0;
        if (got != (ssize_t)sizeof(word))
            return sbx_fail(err, SBX_E_MOUNT, 0, "the builder of the jail ended without a word");
        word.err.message[sizeof(word.err.message) - 1] = '\0';
        if (word.kind == WORD_ERROR) {
            *err = word.err;
            return -1;
        }
        word.guard.path = word.err.message;
        if (word.kind == WORD_GUARD)
            spec->guard(spec->data, &word.guard);
        else
            spec->note(spec->data, word.err.message);
    }
}

/* clone3(2), since clone(2) cannot start a child in a cgroup. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes to pidfd */
static pid_t clone_builder(const struct sbx_jail_spec *spec, int *pidfd)
{
    struct sbx_clone_args args = {
        .flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                 SBX_CLONE_PIDFD | (spec->cgroup_fd >= 0 ? SBX_CLONE_INTO_CGROUP : 0),
        .pidfd = (uint64_t)(uintptr_t)pidfd,
        .exit_signal = SIGCHLD,
        .cgroup = spec->cgroup_fd >= 0 ? (uint64_t)(unsigned)spec->cgroup_fd : 0,
    };
    return sbx_sys_clone3(&args);
}

int sbx_jail_build(const struct sbx_jail_spec *spec, struct sbx_jail *jail, struct sbx_err *err)
{
    int line[2], pidfd = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a socket pair");
    pid_t pid = clone_builder(spec, &pidfd);
    if (pid == 0) {
        (void)close(line[0]);
        build_and_report(spec, line[1]);
    }
    int saved = errno;
    (void)close(line[1]);
    if (pid < 0) {
        (void)close(line[0]);
        return sbx_fail(err, SBX_E_SYSTEM, saved, "cannot make the jail's namespaces");
    }
    *jail = (struct sbx_jail){.init_pid = pid, .init_pidfd = pidfd, .line_fd = line[0]};
    if (await_ready(spec, line[0], err)) {
        sbx_jail_end(jail);
        return sbx_err_prefix(err, "cannot build the jail: ");
    }
    return 0;
}

void sbx_jail_end(struct sbx_jail *jail)
{
    if (jail->init_pid <= 0)
        return;
    (void)close(jail->line_fd);
    (void)kill(jail->init_pid,
               SIGKILL); /* our child, not yet reaped: the number is still its own */
    /* pid 1 is gone only when everything in its namespace is; a process that hangs in the kernel must
     * not hang the warden too. */
    struct pollfd ended = {.fd = jail->init_pidfd, .events = POLLIN};
    int64_t deadline = now_ms() + END_TIMEOUT_MS;
    for (int64_t left; (left = deadline - now_ms()) > 0 && poll(&ended, 1, (int)left) < 0;)
        if (errno != EINTR)
            break;
    (void)waitpid(jail->init_pid, NULL, WNOHANG);
    (void)close(jail->init_pidfd);
    *jail = (struct sbx_jail){.init_pid = 0, .init_pidfd = -1, .line_fd = -1};
}
