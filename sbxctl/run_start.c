/* From outside to the program inside. Three processes: sbxctl stays outside; a helper enters the
 * jail and ends at once; the program is born inside the pid namespace as a child of sbxctl
 * (CLONE_PARENT), so that its exit status needs nobody in between. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "jail/caps.h"
#include "jail/relay.h"
#include "policy/cleanup.h"
#include "sbxctl/run.h"

struct inside { /* what the helper and the program know */
    const struct sbx_run_start *start;
    int status_fd; /* write end */
    int slave_fd;  /* -1: no terminal */
};

static _Noreturn void give_up(const struct inside *inside, int exit_status, const char *message)
{
    struct sbx_run_failure failure = {.exit_status = exit_status};
    (void)snprintf(failure.message, sizeof(failure.message), "%s", message);
    (void)!write(inside->status_fd, &failure, sizeof(failure));
    _exit(exit_status);
}

static _Noreturn void give_up_err(const struct inside *inside, const struct sbx_err *err)
{
    give_up(inside, SBX_EXIT_NO_JAIL, err->message);
}

/* A session of its own in every case: /dev/tty would otherwise still lead to the terminal outside,
 * whose descriptors have just been taken away. */
static void take_terminal(const struct inside *inside)
{
    if (setsid() < 0)
        give_up(inside, SBX_EXIT_NO_JAIL, "cannot start a session");
    if (inside->slave_fd < 0)
        return;
    bool ok = !ioctl(inside->slave_fd, TIOCSCTTY, 0);
    for (int fd = 0; fd <= 2; fd++)
        if (ok && isatty(fd))
            ok = dup2(inside->slave_fd, fd) == fd;
    if (!ok)
        give_up(inside, SBX_EXIT_NO_JAIL, "cannot set up the terminal");
}

static void reset_signals(void)
{
    sigset_t none;
    (void)sigemptyset(&none);
    for (int number = 1; number < NSIG; number++)
        if (number != SIGKILL && number != SIGSTOP)
            (void)signal(number, SIG_DFL); /* some in between are the C library's: refused, fine */
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The program's side: becomes the account and executes. Runs inside, first as root. */
static _Noreturn void become_program(const struct inside *inside)
{
    const struct sbx_run_start *start = inside->start;
    const struct sbx_run_account *account = start->account;
    struct sbx_err err = SBX_ERR_INIT;
    take_terminal(inside);
    if (sbx_caps_become(account->uid, account->gid, account->groups, (size_t)account->group_count,
                        &err))
        give_up_err(inside, &err);
    /* Until the exec this is a copy of root's memory under the account's uid: not to be traced, even
     * where fs.suid_dumpable is 1. */
    if (prctl(PR_SET_DUMPABLE, 0))
        give_up(inside, SBX_EXIT_NO_JAIL, "cannot keep tracers away");
    (void)umask(022);
    bool is_there = !chdir(start->directory);
    if (!is_there && (start->needs_directory || (chdir(account->home) && chdir("/"))))
        give_up(inside, SBX_EXIT_NO_JAIL, "the workspace cannot be entered");
    reset_signals();
    /* Nothing but 0, 1, 2 goes in: any other descriptor would be a way out. The status pipe closes
     * with the exec, which is how the parent learns that it worked. */
    if (close_range(3, ~0u, CLOSE_RANGE_CLOEXEC))
        give_up(inside, SBX_EXIT_NO_JAIL, "cannot close what must not be inherited");
    environ = start->environment; /* whose PATH is the one to search */
    (void)execvp(start->command[0], start->command);
    int errnum = errno;
    char message[256];
    (void)snprintf(message, sizeof(message), "cannot run %s: %s", start->command[0],
                   strerrordesc_np(errnum));
    give_up(inside, errnum == ENOENT || errnum == ENOTDIR ? 127 : 126, message);
}

struct handover { /* helper → parent, with the master descriptor where there is a terminal */
    pid_t pid;
};

static int send_handover(int socket_fd, pid_t pid, int master_fd)
{
    struct handover handover = {.pid = pid};
    struct iovec iov = {&handover, sizeof(handover)};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {0};
    struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1};
    if (master_fd >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof(control);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &master_fd, sizeof(int));
    }
    return sendmsg(socket_fd, &message, MSG_NOSIGNAL) == sizeof(handover) ? 0 : -1;
}

#define LOGINUID "/proc/self/loginuid"

static bool is_loginuid_unset(int fd)
{
    static const char unset[] = "4294967295";
    char text[16];
    ssize_t len = pread(fd, text, sizeof(text), 0);
    return len >= (ssize_t)sizeof(unset) - 1 && !memcmp(text, unset, sizeof(unset) - 1);
}

/* A login uid that is not set may be set by anybody, once: the program could name somebody else, and
 * the audit log would say that it was them. One that is set stays: it says who ran this. */
static int settle_loginuid(uid_t uid, struct sbx_err *err)
{
    _cleanup_fd_ int fd = open(LOGINUID, O_RDWR | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return 0; /* a kernel without audit */
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the login uid");
    if (!is_loginuid_unset(fd))
        return 0;
    char text[16];
    int len = snprintf(text, sizeof(text), "%u", uid);
    if (pwrite(fd, text, (size_t)len, 0) != len || is_loginuid_unset(fd))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set the login uid");
    return 0;
}

/* The helper: enters, opens the jail's terminal, makes the program's process, ends. Root. */
static _Noreturn void enter(struct inside *inside, int socket_fd, int terminal_fd)
{
    struct sbx_err err = SBX_ERR_INIT;
    int entered = 0, master_fd = -1;
    if (settle_loginuid(inside->start->account->uid, &err) ||
        sbx_join_enter(inside->start->join, &entered, &err))
        give_up_err(inside, &err);
    if (terminal_fd >= 0 && sbx_relay_open(terminal_fd, &master_fd, &inside->slave_fd, &err))
        give_up_err(inside, &err);
    /* Not fork(3): the program is to be a child of sbxctl, not of this process. */
    long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid < 0)
        give_up(inside, SBX_EXIT_NO_JAIL, "cannot start a process in the jail");
    if (pid == 0) {
        (void)close(socket_fd);
        if (master_fd >= 0)
            (void)close(master_fd);
        become_program(inside);
    }
    if (send_handover(socket_fd, (pid_t)pid, master_fd))
        give_up(inside, SBX_EXIT_NO_JAIL, "cannot hand over the program");
    _exit(0);
}

static int receive_handover(int socket_fd, struct sbx_run_started *out, struct sbx_err *err)
{
    struct handover handover = {0};
    struct iovec iov = {&handover, sizeof(handover)};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    struct msghdr message = {.msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof(control)};
    ssize_t got;
    do
        got = recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got != sizeof(handover))
        return sbx_fail(err, SBX_E_GONE, 0, "the jail cannot be entered");
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(&out->master_fd, CMSG_DATA(header), sizeof(int));
    out->pid = handover.pid;
    return 0;
}

/* The outside terminal among 0, 1, 2, and nothing there that would be a way out by itself. */
static int look_at_streams(int *terminal_fd, struct sbx_err *err)
{
    *terminal_fd = -1;
    for (int fd = 2; fd >= 0; fd--) {
        struct stat st;
        if (fstat(fd, &st))
            return sbx_fail(err, SBX_E_USAGE, errno, "descriptor %d is closed", fd);
        if (S_ISDIR(st.st_mode) || S_ISBLK(st.st_mode))
            return sbx_fail(err, SBX_E_USAGE, 0, "descriptor %d is a directory or a device", fd);
        if (isatty(fd))
            *terminal_fd = fd;
    }
    return 0;
}

int sbx_run_start(const struct sbx_run_start *start, struct sbx_run_started *out,
                  struct sbx_err *err)
{
    *out = (struct sbx_run_started){.pid = -1, .master_fd = -1, .status_fd = -1};
    int status_pipe[2], sockets[2];
    if (look_at_streams(&out->terminal_fd, err))
        return -1;
    if (pipe2(status_pipe, O_CLOEXEC))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a pipe");
    _cleanup_fd_ int status_in = status_pipe[0], status_out = status_pipe[1];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a socket");
    _cleanup_fd_ int near = sockets[0], far = sockets[1];
    struct inside inside = {.start = start, .status_fd = status_out, .slave_fd = -1};
    pid_t helper = fork();
    if (helper < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot start a process");
    if (helper == 0)
        enter(&inside, far, out->terminal_fd);
    (void)close(sbx_steal_fd(&far));
    (void)close(sbx_steal_fd(&status_out));
    int result = receive_handover(near, out, err);
    int status;
    while (waitpid(helper, &status, 0) < 0 && errno == EINTR)
        ;
    struct sbx_run_failure failure;
    if (result && read(status_in, &failure, sizeof(failure)) == sizeof(failure)) {
        failure.message[sizeof(failure.message) - 1] = '\0';
        return sbx_fail(err, SBX_E_SYSTEM, 0, "%s", failure.message);
    }
    out->status_fd = result ? -1 : sbx_steal_fd(&status_in);
    return result;
}
