/* Times commands side by side: timer ROUNDS -- COMMAND… -- COMMAND…
 *
 * Each round runs every command once, in turn, so that whatever the machine does meanwhile meets all
 * of them. Prints one line a command: median, least and 95th percentile in microseconds, and how many
 * runs did not exit with 0. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_COMMANDS 16
#define MAX_ROUNDS   10000

static int64_t now_ns(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

/* Output goes to /dev/null; the time until the command was reaped, *failed counted up. */
static int64_t run_once(char **argv, unsigned *failed)
{
    posix_spawn_file_actions_t actions;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t pid = 0;
    int status = 0;
    int64_t began = now_ns();
    if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ)) {
        (*failed)++;
    } else {
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
        if (!WIFEXITED(status) || WEXITSTATUS(status))
            (*failed)++;
    }
    int64_t took = now_ns() - began;
    (void)posix_spawn_file_actions_destroy(&actions);
    return took;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int split(int argc, char **argv, char **commands[MAX_COMMANDS])
{
    int count = 0;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--"))
            continue;
        argv[i] = NULL;
        if (i + 1 < argc && count < MAX_COMMANDS)
            commands[count++] = argv + i + 1;
    }
    return count;
}

int main(int argc, char **argv)
{
    char **commands[MAX_COMMANDS];
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    int count = split(argc, argv, commands);
    if (!count || rounds < 1 || rounds > MAX_ROUNDS) {
        (void)fputs("usage: timer ROUNDS -- COMMAND… [-- COMMAND…]\n", stderr);
        return 2;
    }
    int64_t *times = calloc((size_t)(count * rounds), sizeof(*times));
    unsigned failed[MAX_COMMANDS] = {0};
    if (!times)
        return 1;
    for (long round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++)
            times[i * rounds + round] = run_once(commands[i], &failed[i]);
    }
    for (int i = 0; i < count; i++) {
        int64_t *mine = times + i * rounds;
        qsort(mine, (size_t)rounds, sizeof(*mine), compare);
        (void)printf("%lld %lld %lld %u\n", (long long)mine[rounds / 2] / 1000,
                     (long long)mine[0] / 1000, (long long)mine[rounds * 95 / 100] / 1000,
                     failed[i]);
    }
    free(times);
    return 0;
}
