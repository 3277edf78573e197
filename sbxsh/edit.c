#include "sbxsh/edit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "policy/cleanup.h"

const char *sbxsh_edit_variable(char *const *environment, const char *name)
{
    size_t len = strlen(name);
    for (; *environment; environment++)
        if (!strncmp(*environment, name, len) && (*environment)[len] == '=')
            return *environment + len + 1;
    return NULL;
}

/* Beside us where we were built, else where the package has it. */
static bool find_program(char *path, size_t size)
{
    char self[SBXSH_PATH_BYTES];
    ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (len > 0 && self[0] == '/') {
        self[len] = '\0';
        int put = snprintf(path, size, "%.*s/%s", (int)(strrchr(self, '/') - self), self,
                           SBX_LINE_PROGRAM);
        if (put > 0 && (size_t)put < size && !access(path, X_OK))
            return true;
    }
    int put = snprintf(path, size, "%s/%s", SBX_LIBEXECDIR, SBX_LINE_PROGRAM);
    return put > 0 && (size_t)put < size && !access(path, X_OK);
}

_Noreturn static void be_editor(const char *path, const struct sbxsh *shell,
                                const struct sbxsh_bash *bash, int socket_fd)
{
    char *const argv[] = {(char *)(uintptr_t)SBX_LINE_PROGRAM, NULL};
    int up =
        fcntl(socket_fd, F_DUPFD_CLOEXEC, SBX_LINE_FD + 1); /* dup2 onto itself keeps the flag */
    if (up >= 0 && dup2(up, SBX_LINE_FD) == SBX_LINE_FD &&
        dup2(STDERR_FILENO, STDOUT_FILENO) == STDOUT_FILENO &&
        !sigprocmask(SIG_SETMASK, &bash->mask_before, NULL))
        (void)execve(path, argv, shell->environment);
    _exit(127);
}

void sbxsh_edit_start(struct sbxsh_edit *edit, const struct sbxsh *shell,
                      const struct sbxsh_bash *bash)
{
    char path[SBXSH_PATH_BYTES + 16];
    int ends[2];
    const char *term = sbxsh_edit_variable(shell->environment, "TERM");
    *edit = (struct sbxsh_edit){.fd = -1};
    if (!term || !*term || !strcmp(term, "dumb") || !find_program(path, sizeof(path)) ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return;
    _cleanup_fd_ int theirs = ends[1];
    edit->pid = fork();
    if (edit->pid == 0)
        be_editor(path, shell, bash, theirs);
    if (edit->pid < 0)
        (void)close(ends[0]);
    else
        edit->fd = ends[0];
}

void sbxsh_edit_stop(struct sbxsh_edit *edit)
{
    if (edit->fd < 0)
        return;
    (void)close(edit->fd);
    edit->fd = -1;
    (void)kill(edit->pid, SIGKILL); /* it has nothing to bring to an end */
    while (waitpid(edit->pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* A stopped editor would hold the keys for ever: nothing that the terminal sends stops it. */
static bool is_alive(const struct sbxsh_edit *edit)
{
    return waitpid(edit->pid, NULL, WNOHANG | WUNTRACED) == 0;
}

static int send_message(struct sbxsh_edit *edit, enum sbx_line_kind kind, const char *body,
                        size_t len)
{
    _cleanup_free_ char *packet = malloc(SBX_LINE_MESSAGE_BYTES);
    const struct sbx_line_message message = {
        .kind = kind, .serial = edit->serial, .body = body, .len = len};
    size_t size = packet ? sbx_line_pack(packet, SBX_LINE_MESSAGE_BYTES, &message) : 0;
    if (!size || send(edit->fd, packet, size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)size)
        return -1;
    return 0;
}

static int send_ask(struct sbxsh_edit *edit, const struct sbx_line_ask *ask)
{
    _cleanup_free_ char *body = malloc(SBX_LINE_TEXT_BYTES);
    size_t len = body ? sbx_line_pack_ask(body, SBX_LINE_TEXT_BYTES, ask) : 0;
    edit->serial++;
    return len ? send_message(edit, SBX_LINE_ASK, body, len) : -1;
}

static enum sbxsh_line take_message(const struct sbx_line_message *message,
                                    struct sbxsh_reader *reader)
{
    reader->len = 0;
    switch (message->kind) {
    case SBX_LINE_TEXT:
        return sbxsh_reader_put(reader, message->body, message->len);
    case SBX_LINE_INTERRUPT:
        return SBXSH_LINE_INTERRUPT;
    case SBX_LINE_TOO_LONG:
        return SBXSH_LINE_TOO_LONG;
    default:
        return SBXSH_LINE_LAST;
    }
}

/* An answer to what was asked. 1: it is another one, -1: the editor has ended or talks nonsense. */
static int receive(const struct sbxsh_edit *edit, struct sbxsh_reader *reader,
                   enum sbxsh_line *what)
{
    _cleanup_free_ char *packet = malloc(SBX_LINE_MESSAGE_BYTES + 1);
    struct sbx_line_message message;
    if (!packet)
        return -1;
    ssize_t got = recv(edit->fd, packet, SBX_LINE_MESSAGE_BYTES + 1, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return 1;
    if (got <= 0 || sbx_line_unpack(packet, (size_t)got, &message) || message.kind < SBX_LINE_TEXT)
        return -1;
    if (message.serial != edit->serial)
        return 1;
    *what = take_message(&message, reader);
    return 0;
}

/* Returns 0 with a line, or an end of the session, in *what; -1: no editor any more. */
static int await_line(struct sbxsh_edit *edit, struct sbxsh_bash *bash, struct sbxsh_reader *reader,
                      enum sbxsh_line *what)
{
    for (;;) {
        struct pollfd fds[] = {
            {.fd = edit->fd,      .events = POLLIN},
            {.fd = bash->signals, .events = POLLIN}
        };
        int got = poll(fds, 2, -1);
        if (got > 0 && fds[1].revents)
            sbxsh_bash_signals(bash);
        if (bash->is_gone || bash->ended_by) {
            *what = SBXSH_LINE_OVER;
            return 0;
        }
        if (bash->was_interrupted) { /* by a signal: the key is a byte to the editor */
            bash->was_interrupted = false;
            if (send_message(edit, SBX_LINE_CANCEL, "", 0))
                return -1;
        }
        int result = got > 0 && fds[0].revents ? receive(edit, reader, what) : 1;
        if (result <= 0)
            return result;
        if (!is_alive(edit))
            return -1;
    }
}

bool sbxsh_edit_next(struct sbxsh_edit *edit, const struct sbx_line_ask *ask,
                     struct sbxsh_bash *bash, struct sbxsh_reader *reader, enum sbxsh_line *what)
{
    struct termios before, after;
    bool has_before = !tcgetattr(STDIN_FILENO, &before);
    int failed = send_ask(edit, ask) || await_line(edit, bash, reader, what);
    if (failed || *what == SBXSH_LINE_OVER)
        sbxsh_edit_stop(edit); /* first, or it would set modes after us */
    if (has_before && !tcgetattr(STDIN_FILENO, &after) &&
        (after.c_lflag != before.c_lflag || after.c_iflag != before.c_iflag ||
         after.c_oflag != before.c_oflag || memcmp(after.c_cc, before.c_cc, sizeof(before.c_cc))))
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    return !failed;
}
