#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "sbxsh/bash.h"
#include "sbxsh/sbxsh.h"

#define COMPLAINT_BYTES 65536
#define ARGUMENT_BYTES  131072 /* the kernel's limit on one argument */

void sbxsh_judge(struct sbxsh *shell, const char *text, size_t len, const char *cwd,
                 struct sbx_verdict *verdict)
{
    static const struct sbx_fs fs = {.resolve = sbxsh_resolve, .is_absent = sbxsh_is_absent};
    sbxsh_refresh(shell);
    const struct sbx_context context = {.policy = shell->policy,
                                        .cwd = cwd,
                                        .fs = &fs,
                                        .functions = shell->functions,
                                        .alias_mode = shell->alias_mode,
                                        .aliases = shell->aliases,
                                        .is_piecewise = shell->is_piecewise,
                                        .is_outside = shell->is_unjailed};
    sbx_judge(&context, text, len, verdict);
    bool is_told =
        verdict->class != SBX_CLASS_NONE || sbx_policy_flag(shell->policy, SBX_KEY_AUDIT_LOG_ALLOW);
    if (verdict->verdict == SBX_ALLOW && is_told)
        sbxsh_report(shell, text, len, cwd, verdict);
}

void sbxsh_refuse(const struct sbxsh *shell, const char *text, size_t len, const char *cwd,
                  const struct sbx_verdict *verdict)
{
    sbxsh_report(shell, text, len, cwd, verdict);
    sbxsh_say_verdict(shell->environment, verdict->verdict != SBX_ASK,
                      verdict->reason[0] ? verdict->reason
                                         : "the account's policy does not let this run");
}

/* Copies what bash says, so that it never holds the descriptor of a terminal. */
static void copy_complaint(int from)
{
    char bytes[4096];
    for (size_t total = 0; total < COMPLAINT_BYTES;) {
        ssize_t got = read(from, bytes, sizeof(bytes));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        total += (size_t)got;
        ssize_t put = write(STDERR_FILENO, bytes, (size_t)got);
        (void)put;
    }
}

_Noreturn static void be_complaining_bash(const struct sbxsh *shell, const char *text, int out)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0 &&
        dup2(out, STDERR_FILENO) >= 0) {
        /* -n: bash reads and does not run, not even a first line that is valid. */
        const char *const argv[] = {"bash", "--noprofile", "--norc", "-n", "-c", "--", text, NULL};
        (void)execve(SBXSH_BASH, (char **)(uintptr_t)argv, shell->environment);
    }
    _exit(SBXSH_EXIT_SYNTAX);
}

int sbxsh_let_bash_complain(const struct sbxsh *shell, const char *text, size_t len)
{
    if (len >= ARGUMENT_BYTES) {
        sbxsh_say("syntax error in a text of %zu bytes", len);
        return SBXSH_EXIT_SYNTAX;
    }
    _cleanup_free_ char *copy = strndup(text, len);
    int ends[2], status = 0;
    if (!copy || pipe2(ends, O_CLOEXEC))
        return SBXSH_EXIT_SYNTAX;
    pid_t pid = fork();
    if (pid == 0)
        be_complaining_bash(shell, copy, ends[1]);
    (void)close(ends[1]);
    copy_complaint(ends[0]);
    (void)close(ends[0]);
    if (pid < 0)
        return SBXSH_EXIT_SYNTAX;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return SBXSH_EXIT_SYNTAX;
    return WIFEXITED(status) ? WEXITSTATUS(status) : SBXSH_EXIT_SYNTAX;
}
