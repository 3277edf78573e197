#include "sbxsh/bash.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "sbxsh/frame.h"

#define INPUT_FD       57   /* seldom used by scripts, below the small limits on open files */
#define LOOK_MS        1000 /* the kernel tells; this is the net below that */
#define TAIL_BYTES     128
#define SAID_MAX_BYTES ((size_t)512 * 1024) /* more than that is taken and forgotten */

/* The environment with empty prompts: those of an interactive bash would stand beside ours. */
static char **without_prompts(char *const *environment)
{
    static const char *const prompts[] = {"PS1=", "PS2="};
    size_t count = 0;
    while (environment[count])
        count++;
    char **copy = calloc(count + 3, sizeof(*copy));
    if (!copy)
        return NULL;
    memcpy(copy, environment, count * sizeof(*copy));
    for (size_t i = 0; i < 2; i++)
        copy[count + i] = (char *)(uintptr_t)prompts[i];
    return copy;
}

/* In the child. Descriptor 0 becomes the socket, the real one goes up. */
_Noreturn static void be_bash(const struct sbxsh_bash *bash, const struct sbxsh *shell,
                              int socket_fd)
{
    static const char *const plain[] = {"bash", "--noprofile", "--norc", "-s", NULL};
    static const char *const interactive[] = {"bash", "--noprofile", "--norc", "--noediting",
                                              "+H",   "-i",          NULL};
    const char *const *argv = shell->is_interactive ? interactive : plain;
    char **environment =
        shell->is_interactive ? without_prompts(shell->environment) : shell->environment;
    if (environment && dup2(STDIN_FILENO, bash->input) == bash->input &&
        dup2(socket_fd, STDIN_FILENO) == STDIN_FILENO &&
        !sigprocmask(SIG_SETMASK, &bash->mask_before, NULL))
        (void)execve(SBXSH_BASH, (char **)(uintptr_t)argv, environment);
    _exit(127);
}

/* What the terminal sends to a whole group is bash's to act on: we end as bash ends. */
static int hold_signals(struct sbxsh_bash *bash, bool is_interactive, struct sbx_err *err)
{
    sigset_t held, read_here;
    (void)sigemptyset(&read_here);
    (void)sigaddset(&read_here, SIGCHLD);
    held = read_here;
    (void)sigaddset(&held, SIGINT);
    (void)sigaddset(&held, SIGQUIT);
    if (is_interactive) {
        static const int more[] = {SIGHUP, SIGTERM, SIGTTOU, SIGTTIN, SIGTSTP};
        for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
            (void)sigaddset(&held, more[i]);
        for (size_t i = 0; i < 2; i++)
            (void)sigaddset(&read_here, more[i]);
        (void)sigaddset(&read_here, SIGINT);
    }
    if (sigprocmask(SIG_BLOCK, &held, &bash->mask_before))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot hold signals back");
    bash->signals = signalfd(-1, &read_here, SFD_CLOEXEC | SFD_NONBLOCK);
    return bash->signals < 0 ? sbx_fail(err, SBX_E_SYSTEM, errno, "cannot receive signals") : 0;
}

static int watch(struct sbxsh_bash *bash, struct sbx_err *err)
{
    struct epoll_event taken = {.events = EPOLLOUT | EPOLLET |
                                          (bash->is_interactive ? (uint32_t)EPOLLIN : 0)};
    struct epoll_event signal = {.events = EPOLLIN};
    bash->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (bash->epoll < 0 || epoll_ctl(bash->epoll, EPOLL_CTL_ADD, bash->control, &taken) ||
        epoll_ctl(bash->epoll, EPOLL_CTL_ADD, bash->signals, &signal))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot watch bash");
    return 0;
}

/* A number for the real standard input that is free here, and so in the child. */
static int free_number(void)
{
    int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, INPUT_FD);
    if (fd < 0)
        fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
    if (fd >= 0)
        (void)close(fd);
    return fd;
}

bool sbxsh_bash_is_gone(struct sbxsh_bash *bash)
{
    if (!bash->is_gone && waitpid(bash->pid, &bash->wait_status, WNOHANG) == bash->pid)
        bash->is_gone = true;
    return bash->is_gone;
}

void sbxsh_bash_signals(struct sbxsh_bash *bash)
{
    struct signalfd_siginfo info;
    while (read(bash->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        if (info.ssi_signo == SIGINT)
            bash->was_interrupted = true;
        else if (info.ssi_signo != SIGCHLD)
            bash->ended_by = (int)info.ssi_signo;
    }
    if (bash->ended_by)
        (void)kill(bash->pid, SIGHUP); /* as the terminal would: bash passes it on to its jobs */
    (void)sbxsh_bash_is_gone(bash);
}

static void await_end(struct sbxsh_bash *bash)
{
    while (!bash->is_gone) {
        pid_t pid = waitpid(bash->pid, &bash->wait_status, 0);
        if (pid == bash->pid || (pid < 0 && errno != EINTR))
            bash->is_gone = true;
    }
}

static int send_all(struct sbxsh_bash *bash, const char *bytes, size_t len)
{
    while (len) {
        ssize_t put = send(bash->control, bytes, len, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR && !sbxsh_bash_is_gone(bash))
            continue;
        if (put <= 0)
            return -1;
        bytes += put;
        len -= (size_t)put;
    }
    return 0;
}

/* Takes what bash has written, so that it never waits for us. */
static void hear(struct sbxsh_bash *bash)
{
    char bytes[4096];
    ssize_t got;
    while ((got = recv(bash->control, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0) {
        size_t need = bash->said_len + (size_t)got;
        if (need > SAID_MAX_BYTES)
            continue;
        if (need > bash->said_capacity) {
            char *more = realloc(bash->said, need * 2);
            if (!more)
                continue;
            bash->said = more;
            bash->said_capacity = need * 2;
        }
        memcpy(bash->said + bash->said_len, bytes, (size_t)got);
        bash->said_len = need;
    }
}

/* Waits until bash has taken all that was sent. */
static int await_taken(struct sbxsh_bash *bash)
{
    for (int unread = 0;;) {
        if (ioctl(bash->control, SIOCOUTQ, &unread))
            return -1;
        if (bash->is_interactive)
            hear(bash); /* after the look: what it said before it took the last byte is there now */
        if (!unread)
            return 0;
        struct epoll_event events[2];
        int got = epoll_wait(bash->epoll, events, 2, LOOK_MS);
        sbxsh_bash_signals(bash);
        for (int i = 0; i < got; i++)
            if (events[i].events & EPOLLHUP)
                return -1;
        if (bash->is_gone)
            return -1;
    }
}

/* Sends a line and waits until bash has run it. Where bash has closed its end it is ending, or has
 * become another program by exec, whose end is then the session's. */
static void run_line(struct sbxsh_bash *bash, const char *line, size_t len)
{
    if (bash->is_gone)
        return;
    bash->said_len = 0;
    if (send_all(bash, line, len) || await_taken(bash) || send_all(bash, " ", 1) ||
        await_taken(bash))
        await_end(bash);
}

int sbxsh_bash_start(struct sbxsh_bash *bash, const struct sbxsh *shell, struct sbx_err *err)
{
    *bash = (struct sbxsh_bash){.control = -1,
                                .epoll = -1,
                                .signals = -1,
                                .input = free_number(),
                                .is_interactive = shell->is_interactive};
    int ends[2];
    if (bash->input < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a channel to bash");
    bash->control = ends[0];
    _cleanup_fd_ int theirs = ends[1];
    if (!bash->is_interactive &&
        shutdown(theirs, SHUT_WR)) /* nothing that bash runs can answer for it */
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot close a direction of bash's channel");
    if (hold_signals(bash, shell->is_interactive, err) || watch(bash, err))
        return -1;
    bash->pid = fork();
    if (bash->pid < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot start bash");
    if (bash->pid == 0)
        be_bash(bash, shell, theirs);
    /* A bash started from it has prompts again. */
    static const char setup[] = "export -n PS1 PS2; unset HISTFILE; set +o history; " //
        SBXSH_STATE_INSTALL "; LINENO=0\n";
    if (shell->is_interactive)
        run_line(bash, setup, sizeof(setup) - 1);
    return 0;
}

/* `exit` and `exit N`, also with a backslash. bash leaves stopped jobs behind only at a second exit in a
 * row, and between two of them no eval may stand. */
static bool is_plain_exit(const char *text, size_t len)
{
    size_t at = len && text[0] == '\\';
    if (len < at + 4 || memcmp(text + at, "exit", 4) != 0)
        return false;
    at += 4;
    bool has_space = at < len && text[at] == ' ';
    while (at < len && text[at] == ' ')
        at++;
    bool has_number = at < len;
    while (at < len && text[at] >= '0' && text[at] <= '9')
        at++;
    return at == len && (!has_number || has_space) && len < 32;
}

void sbxsh_bash_run(struct sbxsh_bash *bash, const char *text, size_t len)
{
    size_t size = 0;
    if (is_plain_exit(text, len)) {
        char exit_line[40];
        memcpy(exit_line, text, len);
        exit_line[len] = '\n';
        run_line(bash, exit_line, len + 1);
        return;
    }
    _cleanup_free_ char *line =
        sbxsh_frame_make(text, len, bash->input, bash->is_interactive, &size);
    if (line)
        run_line(bash, line, size);
    else
        sbxsh_bash_fail(bash, SBXSH_EXIT_REFUSED);
}

/* Lines at the top level: what a hook does to an option lasts no longer than the hook (bash 5.2). */
#define AGAIN(first) "\\eval \"" first "\"" SBXSH_STATE_QUOTED "\"; (\\exit $?)\" 2>/dev/null\n"

static bool ask_again(struct sbxsh_bash *bash, const char *line, struct sbxsh_state *out)
{
    run_line(bash, line, strlen(line));
    return !sbxsh_state_find(bash->said, bash->said_len, out);
}

int sbxsh_bash_state(struct sbxsh_bash *bash, struct sbxsh_state *out)
{
    static const char install[] = AGAIN(""),
                      no_aliases[] = AGAIN("\\builtin shopt -u expand_aliases; "),
                      comments[] = AGAIN("\\builtin shopt -s interactive_comments; ");
    const char *text;
    bool is_told = !sbxsh_state_find(bash->said, bash->said_len, out);
    if (!is_told && !bash->is_gone)
        is_told = ask_again(bash, install, out);
    /* Aliases that cannot be known are switched off, and bash is to say that they are. */
    bool is_lost = !is_told || sbxsh_state_aliases(out, &text) == SBX_ALIASES_UNKNOWN;
    if (is_lost)
        is_told = ask_again(bash, no_aliases, out);
    if (is_told && !sbxsh_state_has_comments(out))
        is_told = ask_again(bash, comments, out);
    /* Silent all at once: a SIGINT has cut a frame, and bash waits for a quote to end (frame.h). */
    if (!is_told && bash->has_told && !bash->is_gone) {
        (void)kill(bash->pid, SIGINT);
        is_told = ask_again(bash, no_aliases, out);
    }
    bash->has_told = is_told;
    bash->lost_aliases = is_lost && is_told;
    return is_told ? 0 : -1;
}

void sbxsh_bash_fail(struct sbxsh_bash *bash, int status)
{
    char line[32];
    int len = snprintf(line, sizeof(line), "(\\exit %d)\n", status);
    run_line(bash, line, (size_t)len);
}

void sbxsh_bash_blank(struct sbxsh_bash *bash, size_t lines)
{
    char newlines[256];
    memset(newlines, '\n', sizeof(newlines));
    for (size_t put = 0; put < lines;) {
        size_t some = lines - put < sizeof(newlines) ? lines - put : sizeof(newlines);
        run_line(bash, newlines, some);
        put += some;
    }
}

int sbxsh_bash_finish(struct sbxsh_bash *bash)
{
    if (bash->control >= 0)
        (void)close(bash->control);
    bash->control = -1;
    await_end(bash);
    free(bash->said);
    bash->said = NULL;
    bash->said_len = bash->said_capacity = 0;
    return bash->wait_status;
}

void sbxsh_bash_cwd(const struct sbxsh_bash *bash, char *out, size_t size)
{
    char link[32];
    (void)snprintf(link, sizeof(link), "/proc/%d/cwd", (int)bash->pid);
    ssize_t len = readlink(link, out, size - 1);
    if (len <= 0 || (size_t)len >= size - 1 || out[0] != '/') {
        out[0] = '/';
        len = 1;
    }
    out[len] = '\0';
}
