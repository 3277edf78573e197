#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/relay.h"
#include "policy/cleanup.h"
#include "sbxsh/sbxsh.h"
#include "sbxsh/terminal.h"

#define EXITED(status) ((status) << 8)

/* Streams that lead elsewhere leave the controlling terminal in place, and /dev/tty would lead there.
 * Not by setsid: the group, and so the keys that send signals, stay as they are. */
static int leave_terminal(struct sbx_err *err)
{
    _cleanup_fd_ int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && (errno == ENXIO || errno == ENOENT))
        return 0;
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    struct sigaction before;
    if (fd < 0 || sigaction(SIGHUP, &ignored, &before)) /* a session's leader would get one */
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot look at the controlling terminal");
    int failed = ioctl(fd, TIOCNOTTY), errnum = errno;
    if (sigaction(SIGHUP, &before, NULL) || failed)
        return sbx_fail(err, SBX_E_SYSTEM, errnum, "cannot leave the controlling terminal");
    return 0;
}

int sbxsh_terminal_open(struct sbxsh_terminal *terminal, const struct sbxsh *shell,
                        struct sbx_err *err)
{
    *terminal = (struct sbxsh_terminal){.outside_fd = -1, .master_fd = -1, .slave_fd = -1};
    for (int fd = 0; fd <= STDERR_FILENO; fd++) {
        terminal->is_outside[fd] = isatty(fd) == 1;
        if (terminal->is_outside[fd] && terminal->outside_fd < 0)
            terminal->outside_fd = fd;
    }
    /* The session has come through here before: its terminal is the jail's. */
    if (shell->is_nested)
        return 0;
    if (terminal->outside_fd < 0)
        return leave_terminal(err);
    terminal->is_relayed = true;
    if (sbx_relay_open(terminal->outside_fd, &terminal->master_fd, &terminal->slave_fd, err))
        return -1;
    if (ttyname_r(terminal->slave_fd, terminal->name, sizeof(terminal->name)))
        terminal->name[0] = '\0';
    return 0;
}

/* In the child: MUST leave no descriptor of the outside terminal behind. Those above 2 were closed
 * when we started, and ours close on exec. */
_Noreturn static void be_inside(struct sbxsh *shell, const struct sbxsh_terminal *terminal,
                                const char *command, sbxsh_body *body)
{
    struct sbx_err err = SBX_ERR_INIT;
    bool is_ready = !sbx_relay_attach(terminal->slave_fd, &err);
    for (int fd = 0; is_ready && fd <= STDERR_FILENO; fd++)
        if (terminal->is_outside[fd])
            is_ready = dup2(terminal->slave_fd, fd) == fd;
    if (!is_ready)
        _exit(SBXSH_EXIT_START);
    (void)close(terminal->slave_fd);
    (void)close(terminal->master_fd);
    sbxsh_end_like(body(shell, command));
}

int sbxsh_terminal_run(struct sbxsh *shell, struct sbxsh_terminal *terminal, const char *command,
                       sbxsh_body *body)
{
    struct sbx_err err = SBX_ERR_INIT;
    int status = EXITED(SBXSH_EXIT_START);
    if (!terminal->is_relayed)
        return body(shell, command);
    pid_t child = fork();
    if (child == 0)
        be_inside(shell, terminal, command, body);
    (void)close(terminal->slave_fd); /* or the end of all programs inside would not be seen */
    bool has_input = terminal->is_outside[STDIN_FILENO];
    int failed =
        child < 0 ? -1
        : has_input
            ? sbx_relay_run(terminal->outside_fd, terminal->master_fd, child, &status, &err)
            : sbx_relay_show(terminal->outside_fd, terminal->master_fd, child, &status, &err);
    if (failed)
        sbxsh_say("the terminal cannot be passed on; try without one (ssh -T)");
    return failed ? EXITED(SBXSH_EXIT_START) : status;
}
