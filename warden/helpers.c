/* The clerk: started, heard and started again. What it says is of fixed size and goes to the log. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "jail/caps.h"
#include "jail/sys.h"
#include "policy/cleanup.h"
#include "policy/judge.h"
#include "warden/warden.h"

#define MAX_RESTARTS 20u
#define CALM_MS      10000

/* In the child: nothing but the three descriptors, an own uid, and the program. */
static void become_clerk(const struct sbx_warden *warden, int line_fd, int policy_fd)
{
    char path[sizeof(warden->paths.programs) + sizeof("/sbx-clerk")];
    char *const argv[] = {(char[]){"sbx-clerk"}, NULL};
    char *const envp[] = {NULL};
    struct sbx_err err;
    sigset_t none;
    (void)snprintf(path, sizeof(path), "%s/sbx-clerk", warden->paths.programs);
    int program_fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    /* Moved up first, so that no dup2 covers a source of a later one. */
    int line = fcntl(line_fd, F_DUPFD_CLOEXEC, 64),
        shell = fcntl(warden->clerk.shell_fd, F_DUPFD_CLOEXEC, 64);
    int policy = fcntl(policy_fd, F_DUPFD_CLOEXEC, 64),
        program = fcntl(program_fd, F_DUPFD_CLOEXEC, 64);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    int filter = fcntl(warden->clerk_filter_fd, F_DUPFD_CLOEXEC, 64);
    if (program < 0 || dup2(filter, SBX_CLERK_FILTER_FD) < 0 || dup2(line, SBX_CLERK_LINE_FD) < 0 ||
        dup2(shell, SBX_CLERK_SHELL_FD) < 0 || dup2(policy, SBX_CLERK_POLICY_FD) < 0 ||
        sbx_caps_become(warden->clerk_user.uid, warden->clerk_user.gid, NULL, 0, &err) ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_PDEATHSIG, SIGKILL) ||
        sbx_sys_close_range(SBX_CLERK_FILTER_FD + 1u, ~0u, SBX_CLOSE_RANGE_CLOEXEC))
        _exit(1);
    (void)syscall(SYS_execveat, program, "", argv, envp, AT_EMPTY_PATH);
    _exit(1);
}

static void stop_clerk(struct sbx_warden *warden)
{
    if (warden->clerk.line_fd >= 0)
        (void)close(warden->clerk.line_fd);
    warden->clerk.line_fd = -1;
    if (warden->clerk.pid > 0) {
        (void)kill(warden->clerk.pid,
                   SIGKILL); /* ours and not reaped: the number is still its own */
        while (waitpid(warden->clerk.pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    warden->clerk.pid = 0;
}

int sbx_clerk_start(struct sbx_warden *warden, struct sbx_err *err)
{
    int line[2];
    stop_clerk(warden);
    /* A clerk that dies over and over is not to eat the machine: after so many it stays away. */
    int64_t now = sbx_now_ms();
    warden->clerk.restarts =
        now - warden->clerk.started_ms < CALM_MS ? warden->clerk.restarts + 1 : 0;
    warden->clerk.started_ms = now;
    if (warden->clerk.restarts > MAX_RESTARTS)
        return sbx_fail(err, SBX_E_LIMIT, 0, "the clerk ended %u times in a row; it stays away",
                        MAX_RESTARTS);
    _cleanup_fd_ int policy_fd =
        sbx_files_seal("sbx-policy", warden->policy, (size_t)warden->policy->size_bytes, err);
    if (policy_fd < 0)
        return -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, line))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a socket pair");
    pid_t pid = fork();
    if (pid == 0)
        become_clerk(warden, line[1], policy_fd);
    int saved = errno;
    (void)close(line[1]);
    if (pid < 0) {
        (void)close(line[0]);
        return sbx_fail(err, SBX_E_SYSTEM, saved, "cannot fork the clerk");
    }
    warden->clerk.pid = pid;
    warden->clerk.line_fd = line[0];
    return 0;
}

/* Where the shell really is: the kernel's word, and only for a process of this jail. */
static bool real_cwd(const struct sbx_warden *warden, uint32_t pid, char *out, size_t size)
{
    char path[64];
    if (!pid || !sbx_cgroup_has(&warden->cgroup, (pid_t)pid))
        return false;
    (void)snprintf(path, sizeof(path), "/proc/%u/cwd", pid);
    ssize_t n = readlink(path, out, size - 1);
    if (n <= 0)
        return false;
    out[n] = '\0';
    return true;
}

static uint64_t record(struct sbx_warden *warden, struct sbx_clerk_report *report)
{
    char cwd[PATH_MAX], origin[sizeof(report->origin)];
    bool has_cwd = real_cwd(warden, report->pid, cwd, sizeof(cwd));
    (void)snprintf(origin, sizeof(origin), "%s", report->origin);
    struct sbx_event event = {
        .kind = SBX_EVENT_COMMAND,
        .source = report->is_claimed ? SBX_SOURCE_SHELL : SBX_SOURCE_CLERK,
        .verdict = sbx_verdict_name((enum sbx_verdict_kind)report->verdict),
        .class = report->class ? sbx_class_name((enum sbx_class)report->class) : NULL,
        .rule = report->rule[0] ? report->rule : NULL,
        .origin = origin[0] ? origin : NULL,
        .by = sbx_by_name((enum sbx_by)report->by),
        .account = warden->account.name,
        .uid = warden->account.uid,
        .reason = report->reason[0] ? report->reason : NULL,
        .command = report->text,
        .command_bytes = report->text_bytes,
        .command_total = report->text_total,
        .cwd = has_cwd ? cwd : NULL,
        .path = report->path[0] ? report->path : NULL,
        .pid = report->pid,
        .loginuid = -1,
    };
    uint64_t seq = 0;
    struct sbx_err err;
    return sbx_log_append(warden->log, &event, &seq, &err) ? 0 : seq;
}

static bool is_sound(struct sbx_clerk_report *report, ssize_t size)
{
    if (size != (ssize_t)sizeof(*report) || report->magic != SBX_PROTO_MAGIC ||
        report->verdict > SBX_DENY || report->class >= SBX_CLASS_COUNT ||
        report->by > SBX_BY_GRANT || report->text_bytes > sizeof(report->text))
        return false;
    report->rule[sizeof(report->rule) - 1] = '\0';
    report->origin[sizeof(report->origin) - 1] = '\0';
    report->reason[sizeof(report->reason) - 1] = '\0';
    report->path[sizeof(report->path) - 1] = '\0';
    report->claimed_cwd[sizeof(report->claimed_cwd) - 1] = '\0';
    return true;
}

void sbx_clerk_read(struct sbx_warden *warden)
{
    struct sbx_clerk_report report;
    ssize_t n = recv(warden->clerk.line_fd, &report, sizeof(report), MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (!is_sound(&report, n)) {
        /* It ended, or talks nonsense: the kernel's SIGCHLD or this kill brings a new one. */
        if (n > 0)
            sbx_warden_tell(warden, "clerk", "the clerk said something it must not say");
        stop_clerk(warden);
        struct sbx_err err = SBX_ERR_INIT;
        if (sbx_clerk_start(warden, &err))
            sbx_warden_tell(warden, "clerk", err.message);
        return;
    }
    const struct sbx_clerk_noted noted = {.magic = SBX_PROTO_MAGIC,
                                          .event = record(warden, &report)};
    (void)send(warden->clerk.line_fd, &noted, sizeof(noted), MSG_NOSIGNAL | MSG_DONTWAIT);
}
