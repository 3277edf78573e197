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

/* What was judged may be quoted in the sentence: no escape sequence reaches a terminal. */
static void clean(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

/* One line, in one write. */
static void write_line(const char *parts[], size_t count)
{
    char line[1152];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(parts[i]);
        if (len > sizeof(line) - 1 - used)
            len = sizeof(line) - 1 - used;
        memcpy(line + used, parts[i], len);
        used += len;
    }
    line[used++] = '\n';
    ssize_t put = write(STDERR_FILENO, line, used);
    (void)put; /* nobody left to tell */
}

void sbxsh_say(const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    clean(text);
    const char *parts[] = {"sbxsh: ", text};
    write_line(parts, 2);
}

static bool has_colours(char *const *environment)
{
    const char *term = NULL, *none = NULL;
    for (; environment && *environment; environment++) {
        if (!strncmp(*environment, "TERM=", 5))
            term = *environment + 5;
        else if (!strncmp(*environment, "NO_COLOR=", 9))
            none = *environment + 9;
    }
    return term && *term && strcmp(term, "dumb") != 0 && !(none && *none) &&
           isatty(STDERR_FILENO) == 1;
}

void sbxsh_say_verdict(char *const *environment, bool is_deny, const char *reason)
{
    char text[1024];
    bool colours = has_colours(environment);
    (void)snprintf(text, sizeof(text), "%s", reason);
    clean(text);
    const char *parts[] = {is_deny ? "sbxsh: denied: " : "sbxsh: needs approval: ",
                           !colours  ? ""
                           : is_deny ? "\033[31m"
                                     : "\033[33m",
                           text, colours ? "\033[0m" : ""};
    write_line(parts, sizeof(parts) / sizeof(*parts));
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
