#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sbxsh/sbxsh.h"

void sbxsh_say(const char *fmt, ...)
{
    char line[1024] = "sbxsh: ";
    size_t used = strlen(line);
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(line + used, sizeof(line) - used - 1, fmt, ap);
    va_end(ap);
    used = strlen(line);
    /* What was judged may be quoted in the sentence: no escape sequence reaches a terminal. */
    for (size_t i = 0; i < used; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
            line[i] = '?';
    line[used++] = '\n';
    ssize_t put = write(STDERR_FILENO, line, used);
    (void)put; /* nobody left to tell */
}

_Noreturn void sbxsh_end_like(int wait_status)
{
    if (WIFSIGNALED(wait_status)) {
        int sig = WTERMSIG(wait_status);
        const struct sigaction plain = {.sa_handler = SIG_DFL};
        sigset_t set;
        (void)sigemptyset(&set);
        (void)sigaddset(&set, sig);
        (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* the other one's core, if any, is written */
        (void)sigaction(sig, &plain, NULL);
        (void)kill(getpid(), sig);
        (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
        _exit(128 + sig);
    }
    _exit(WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : SBXSH_EXIT_START);
}
