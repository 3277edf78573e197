/* sbx-init: pid 1 of a jail. Reaps, and ends when the warden does; the kernel ends the rest.
 *
 * Runs as an own uid without capabilities, non-dumpable, in the account's jail: everything around it
 * is hostile, and it takes input from nobody but the kernel. It is linked statically, since it is
 * executed by descriptor in a root where no library of the host need exist. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/jail.h"
#include "jail/seccomp.h"

static void reap(void)
{
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

static int prepare(int *signal_fd)
{
    sigset_t all;
    if (prctl(PR_SET_DUMPABLE, 0) || sigfillset(&all) || sigprocmask(SIG_SETMASK, &all, NULL))
        return -1;
    sigset_t child;
    if (sigemptyset(&child) || sigaddset(&child, SIGCHLD))
        return -1;
    *signal_fd = signalfd(-1, &child, SFD_CLOEXEC);
    struct sbx_err err;
    if (*signal_fd < 0 || sbx_seccomp_load_fd(SBX_INIT_FILTER_FD, &err))
        return -1;
    return 0;
}

int main(void)
{
    int signal_fd;
    if (prepare(&signal_fd) || write(SBX_INIT_LINE_FD, "R", 1) != 1)
        return 1;
    struct pollfd fds[] = {
        {.fd = SBX_INIT_LINE_FD, .events = POLLIN},
        {.fd = signal_fd,        .events = POLLIN}
    };
    for (;;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return 1;
        if (fds[0].revents) /* the warden says nothing on this line: it ended */
            return 0;
        struct signalfd_siginfo info;
        if (fds[1].revents && read(signal_fd, &info, sizeof(info)) < 0 && errno != EINTR)
            return 1;
        reap();
    }
}
