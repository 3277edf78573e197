/* Starting a warden from a program that is not ours: sshd's monitor, su, sudo, cron, sbxctl.
 *
 * The application's own handling of children must neither see the launcher nor eat its status (a
 * SIGCHLD handler, SIG_IGN, wait()). So its parent is a keeper: a clone of the application with exit
 * signal 0, waited for by __WCLONE. The keeper itself never execs, since execve(2) gives a process
 * the exit signal SIGCHLD. The launcher is run with nothing of the caller's but what the kernel gives
 * by descent: su is setuid, and whoever runs it chooses its limits, umask and signal dispositions. */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "warden/client_parts.h"

#define LAUNCH_FILE_BYTES ((size_t)256 * 1024)

static int64_t clock_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct sbx_deadline sbx_deadline_in(int ms)
{
    return (struct sbx_deadline){.end_ms = clock_ms() + ms};
}

int sbx_deadline_left_ms(const struct sbx_deadline *deadline)
{
    int64_t left = deadline->end_ms - clock_ms();
    return left <= 0 ? 0 : left > 3600000 ? 3600000 : (int)left;
}

bool sbx_deadline_nap(const struct sbx_deadline *deadline)
{
    const struct timespec nap = {.tv_nsec = 10 * 1000000L};
    if (!sbx_deadline_left_ms(deadline))
        return false;
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
    return true;
}

/* --- the file of parameters ------------------------------------------------------------------- */
static int put_line(FILE *file, const char *key, const char *value, struct sbx_err *err)
{
    if (!value)
        return 0;
    if (strchr(value, '\n'))
        return sbx_fail(err, SBX_E_USAGE, 0, "line break in launch parameter %s", key);
    (void)fprintf(file, "%s=%s\n", key, value);
    return 0;
}

static int put_launch(FILE *file, const struct sbx_launch *launch, uid_t uid, struct sbx_err *err)
{
    char number[16];
    (void)snprintf(number, sizeof(number), "%u", uid);
    const struct {
        const char *key, *value;
    } lines[] = {
        {"account",   launch->account              },
        {"uid",       number                       },
        {"policy",    launch->policy               },
        {"workspace", launch->workspace            },
        {"programs",  launch->programs_bind        },
        {"run",       launch->is_run ? "yes" : "no"},
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
        if (put_line(file, lines[i].key, lines[i].value, err))
            return -1;
    for (const char *const *set = launch->settings; set && *set; set++)
        if (put_line(file, "set", *set, err))
            return -1;
    if (ftell(file) > (long)LAUNCH_FILE_BYTES)
        return sbx_fail(err, SBX_E_LIMIT, 0, "launch parameters larger than %zu bytes",
                        LAUNCH_FILE_BYTES);
    /* A short write (full disk) must not lose a setting. */
    if (fflush(file) || ferror(file))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot write launch parameters");
    return 0;
}

int sbx_launch_write(const struct sbx_launch *launch, uid_t uid, struct sbx_err *err)
{
    _cleanup_fd_ int fd = memfd_create("sbx-launch", MFD_CLOEXEC);
    int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
    FILE *file = copy < 0 ? NULL : fdopen(copy, "w");
    int result = file ? put_launch(file, launch, uid, err)
                      : sbx_fail(err, SBX_E_MEMORY, errno, "cannot keep the launch parameters");
    if (file)
        (void)fclose(file);
    else if (copy >= 0)
        (void)close(copy);
    return result ? -1 : sbx_steal_fd(&fd);
}

/* --- the launcher ----------------------------------------------------------------------------- */
struct launcher {
    char program[sizeof(((struct sbx_paths *)0)->programs) + sizeof("/sbx-warden")];
    const char *argv[6];
    int params_fd, pipe_fd; /* what becomes its 0, and its 1 and 2 */
};

static void plan_launcher(struct launcher *plan, const struct sbx_paths *paths, const char *jail)
{
    (void)snprintf(plan->program, sizeof(plan->program), "%s/sbx-warden", paths->programs);
    size_t n = 0;
    plan->argv[n++] = "sbx-warden";
    plan->argv[n++] = "--launch";
    plan->argv[n++] = jail;
    if (paths->root[0]) {
        plan->argv[n++] = "--root";
        plan->argv[n++] = paths->root;
    }
    plan->argv[n] = NULL;
}

static void reset_signals(void)
{
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int sig = 1; sig < _NSIG; sig++)
        (void)sigaction(sig, &plain, NULL); /* KILL, STOP and libc's own refuse: no matter */
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void reset_limits(void)
{
    static const struct {
        int resource;
        rlim_t soft, hard;
    } limits[] = {
        {RLIMIT_AS,         RLIM_INFINITY,           RLIM_INFINITY},
        {RLIMIT_DATA,       RLIM_INFINITY,           RLIM_INFINITY},
        {RLIMIT_CPU,        RLIM_INFINITY,           RLIM_INFINITY},
        {RLIMIT_FSIZE,      RLIM_INFINITY,           RLIM_INFINITY},
        {RLIMIT_NPROC,      RLIM_INFINITY,           RLIM_INFINITY},
        {RLIMIT_STACK,      (rlim_t)8 * 1024 * 1024, RLIM_INFINITY},
        {RLIMIT_NOFILE,     1024,                    4096         },
        {RLIMIT_SIGPENDING, 4096,                    4096         },
    };
    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
        const struct rlimit limit = {limits[i].soft, limits[i].hard};
        (void)setrlimit(limits[i].resource, &limit); /* without root only lowering works */
    }
}

/* This and keep_launcher() run in copies of the application whose locks may be held: system calls
 * only, no memory is taken. Signals are blocked, so that no handler of the application runs here. */
static void become_launcher(const struct launcher *plan)
{
    static const char *const env[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL};
    reset_signals();
    reset_limits();
    (void)umask(022);
    if (dup2(plan->params_fd, 0) == 0 && dup2(plan->pipe_fd, 1) == 1 &&
        dup2(plan->pipe_fd, 2) == 2 && !syscall(SYS_close_range, 3U, ~0U, 0U) && !chdir("/"))
        (void)execve(plan->program, (char *const *)plan->argv, (char *const *)env);
    static const char text[] = "cannot execute sbx-warden\n";
    (void)!write(2, text, sizeof(text) - 1);
    _exit(127);
}

/* Ends with the launcher's status, as the shell would tell it: 128 + signal where one killed it. */
static void keep_launcher(const struct launcher *plan)
{
    const struct sigaction plain = {.sa_handler = SIG_DFL}; /* SIG_IGN would eat the status */
    int status;
    (void)setsid(); /* at the deadline both are killed by their group */
    long pid = sigaction(SIGCHLD, &plain, NULL)
                   ? -1
                   : syscall(SYS_clone, (unsigned long)SIGCHLD, NULL, NULL, NULL, 0UL);
    if (pid == 0)
        become_launcher(plan);
    if (pid < 0 || waitpid((pid_t)pid, &status, 0) != pid)
        _exit(127);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static pid_t clone_keeper(const struct launcher *plan, int *pidfd)
{
    sigset_t all, before;
    sigfillset(&all);
    if (sigprocmask(SIG_BLOCK, &all, &before))
        return -1;
    /* Exit signal 0; flags, stack, parent_tid (receives the pidfd), child_tid, tls. */
    long pid = syscall(SYS_clone, (unsigned long)CLONE_PIDFD, NULL, pidfd, NULL, 0UL);
    if (pid == 0)
        keep_launcher(plan);
    int saved = errno;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return (pid_t)pid;
}

/* Collects at most size-1 bytes of what the launcher says; what is more is read and dropped. */
static void drain(int fd, char *text, size_t size)
{
    char chunk[256];
    for (;;) {
        ssize_t got = read(fd, chunk, sizeof(chunk));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        size_t used = strlen(text), room = size - 1 - used;
        size_t take = (size_t)got < room ? (size_t)got : room;
        memcpy(text + used, chunk, take);
        text[used + take] = '\0';
    }
}

/* Returns 0 when it has ended, -1 at the deadline. */
static int watch_launcher(int pidfd, int pipe_fd, const struct sbx_deadline *deadline, char *text,
                          size_t size)
{
    struct pollfd watched[] = {
        {.fd = pidfd,   .events = POLLIN},
        {.fd = pipe_fd, .events = POLLIN},
    };
    for (;;) {
        int ready = poll(watched, 2, sbx_deadline_left_ms(deadline));
        if (ready < 0 && errno != EINTR)
            return -1;
        if (ready > 0 && watched[1].revents) {
            drain(pipe_fd, text, size);
            if (!(watched[1].revents & POLLIN))
                watched[1].fd = -1; /* closed at the other end: only the exit is left to wait for */
        }
        if (ready > 0 && watched[0].revents) {
            drain(pipe_fd, text, size);
            return 0;
        }
        if (!sbx_deadline_left_ms(deadline))
            return -1;
    }
}

/* Waits for a keeper that has ended, or has been killed and will. Never for ever: one that hangs
 * in the kernel is left to whoever inherits it. */
static int reap_keeper(pid_t pid, int pidfd, int *status)
{
    const struct sbx_deadline deadline = sbx_deadline_in(5000);
    struct pollfd ended = {.fd = pidfd, .events = POLLIN};
    while (poll(&ended, 1, sbx_deadline_left_ms(&deadline)) < 0 && errno == EINTR)
        ;
    pid_t got;
    while ((got = waitpid(pid, status, (int)__WCLONE | WNOHANG)) < 0 && errno == EINTR)
        ;
    return got == pid ? 0 : -1;
}

/* --- what it said ----------------------------------------------------------------------------- */
/* The last line that is not empty, control bytes made blanks: it goes to logs. */
static const char *last_line(char *text)
{
    for (char *at = text; *at; at++)
        if (*at != '\n' && ((unsigned char)*at < 0x20 || *at == 0x7f))
            *at = ' ';
    for (;;) {
        char *newline = strrchr(text, '\n');
        if (!newline)
            return text[0] ? text : "it gave no reason";
        if (newline[1])
            return newline + 1;
        *newline = '\0';
    }
}

static int take_answer(char *text, int status, const char *jail, char made[SBX_JAIL_ID_BYTES],
                       struct sbx_err *err)
{
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 128)
        return sbx_fail(err, SBX_E_SYSTEM, 0, "sbx-warden was killed by signal %d while starting",
                        WIFEXITED(status) ? WEXITSTATUS(status) - 128 : WTERMSIG(status));
    if (WEXITSTATUS(status) == SBX_LAUNCH_UNJAILED)
        return sbx_fail(err, SBX_E_UNJAILED, 0, "%s", last_line(text));
    if (WEXITSTATUS(status))
        return sbx_fail(err, SBX_E_SYSTEM, 0, "cannot start the jail: %s", last_line(text));
    const char *line = last_line(text);
    const char *id = strncmp(line, "jail=", 5) ? jail : line + 5;
    /* Only a jail of the same uid: the id asked for, or that with a number. */
    size_t uid_len = strspn(jail, "0123456789");
    if (!sbx_jail_id_valid(id) || strncmp(id, jail, uid_len) || (id[uid_len] && id[uid_len] != '-'))
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "sbx-warden named a jail that was not asked for");
    (void)snprintf(made, SBX_JAIL_ID_BYTES, "%s", id);
    return 0;
}

/* A program may run with 0, 1 or 2 closed: what is to become those lies above them. */
static int above_stdio(int *fd)
{
    if (*fd > 2)
        return 0;
    int up = fcntl(*fd, F_DUPFD_CLOEXEC, 3);
    if (up < 0)
        return -1;
    (void)close(*fd);
    *fd = up;
    return 0;
}

static int open_launcher_fds(int *from, int *to, int *params, struct sbx_err *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a pipe");
    *from = ends[0];
    *to = ends[1];
    if (lseek(*params, 0, SEEK_SET) || above_stdio(to) || above_stdio(params) ||
        fcntl(*from, F_SETFL, O_NONBLOCK))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set up a pipe");
    return 0;
}

int sbx_launcher_run(const struct sbx_paths *paths, const char *jail, int params_fd,
                     const struct sbx_deadline *deadline, char made[SBX_JAIL_ID_BYTES],
                     struct sbx_err *err)
{
    struct launcher plan;
    plan_launcher(&plan, paths, jail);
    _cleanup_fd_ int from = -1, to = -1, pidfd = -1;
    _cleanup_fd_ int params = fcntl(params_fd, F_DUPFD_CLOEXEC, 3);
    if (params < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot pass the launch parameters on");
    if (open_launcher_fds(&from, &to, &params, err))
        return -1;
    plan.params_fd = params;
    plan.pipe_fd = to;
    pid_t pid = clone_keeper(&plan, &pidfd);
    if (pid < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot start sbx-warden");
    (void)close(sbx_steal_fd(&to)); /* so that its end is seen */

    char text[1024] = "";
    int status = 0;
    bool is_late = watch_launcher(pidfd, from, deadline, text, sizeof(text)) != 0;
    if (is_late)
        (void)kill(-pid, SIGKILL); /* its own session, and not yet waited for: the id is its */
    if (is_late)
        (void)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
    if (reap_keeper(pid, pidfd, &status) || is_late)
        return sbx_fail(err, SBX_E_SYSTEM, ETIMEDOUT, "sbx-warden did not get its jail ready");
    return take_answer(text, status, jail, made, err);
}
