/* For tests that change their process: the body runs in a forked child, whose wait status is told. */
#ifndef SBX_TESTS_CHILD_H
#define SBX_TESTS_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs body(data) in a child; its return value (0–255) is the child's exit status. Returns the wait
 * status, so that a death by signal can be told apart. */
static inline int in_child(int (*body)(void *), void *data)
{
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(body(data) & 0xff);
    int status = -1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return -1;
    return status;
}

/* Says so where a test needs root and there is none: a skipped test must not look like a passed one. */
static inline bool has_root(const char *test)
{
    if (geteuid() == 0)
        return true;
    (void)fprintf(stderr, "SKIPPED (needs root): %s\n", test);
    return false;
}

#endif
