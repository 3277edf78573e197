/* The end of a jail's groups: count, kill, remove. */
#include "jail/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "jail/cgroup_tree.h"
#include "jail/sys.h"
#include "policy/cleanup.h"

#define REMOVE_TIMEOUT_MS 5000
#define SWEEP_TIMEOUT_MS  5000

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void short_rest(void)
{
    const struct timespec rest = {.tv_nsec = 5 * 1000 * 1000};
    (void)nanosleep(&rest, NULL);
}

/* Calls `each` for every process of the first group; returns their number, -1 on failure. */
static int for_each(const struct sbx_cgroup *cgroup, void (*each)(const struct sbx_cgroup *, pid_t))
{
    if (!cgroup->count)
        return -1;
    int fd = openat(cgroup->group[0].dir_fd, "cgroup.procs", O_RDONLY | O_CLOEXEC);
    _cleanup_file_ FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    if (!file) {
        if (fd >= 0)
            (void)close(fd);
        return -1;
    }
    char line[32];
    int seen = 0;
    while (fgets(line, sizeof(line), file)) {
        seen++;
        if (each)
            each(cgroup, (pid_t)strtol(line, NULL, 10));
    }
    return ferror(file) ? -1 : seen;
}

int sbx_cgroup_population(const struct sbx_cgroup *cgroup)
{
    return for_each(cgroup, NULL);
}

bool sbx_cgroup_has(const struct sbx_cgroup *cgroup, pid_t pid)
{
    if (!cgroup->count || pid <= 0)
        return false;
    char path[64], text[4096];
    (void)snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
    if (sbx_cgroup_read(AT_FDCWD, path, text, sizeof(text)))
        return false;
    char *rest = text;
    const char *wanted = cgroup->group[0].controller, *name = cgroup->group[0].name;
    size_t length = strlen(wanted);
    for (char *line; (line = strsep(&rest, "\n"));) {
        const char *list = strchr(line, ':'), *own = list ? strchr(list + 1, ':') : NULL;
        if (!own || strcmp(own + 1, name))
            continue;
        for (const char *word = list + 1; word <= own; word += strcspn(word, ",:") + 1)
            if (strcspn(word, ",:") == length && !strncmp(word, wanted, length))
                return true;
    }
    return false;
}

/* The pid may mean another process by now: it is held first, then looked at, then signalled. */
static void kill_one(const struct sbx_cgroup *cgroup, pid_t pid)
{
    _cleanup_fd_ int pidfd = pid > 0 ? sbx_sys_pidfd_open(pid, 0) : -1;
    if (pidfd >= 0 && sbx_cgroup_has(cgroup, pid))
        (void)sbx_sys_pidfd_send_signal(pidfd, SIGKILL);
}

static int kill_once(const struct sbx_cgroup *cgroup)
{
    if (cgroup->is_v2)
        return sbx_cgroup_write(cgroup->group[0].dir_fd, "cgroup.kill", "1");
    /* No new tasks, so that killing one by one comes to an end whatever they fork. */
    (void)sbx_cgroup_write(cgroup->group[0].dir_fd, "pids.max", "0");
    return for_each(cgroup, kill_one) < 0 ? -1 : 0;
}

int sbx_cgroup_kill(const struct sbx_cgroup *cgroup, int timeout_ms, struct sbx_err *err)
{
    int64_t end = now_ms() + timeout_ms;
    for (;;) {
        int left = sbx_cgroup_population(cgroup);
        if (left == 0)
            return 0;
        if (left < 0 || kill_once(cgroup))
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot end the processes of the jail");
        left = sbx_cgroup_population(cgroup);
        if (left == 0)
            return 0;
        if (now_ms() >= end)
            return sbx_fail(err, SBX_E_SYSTEM, 0, "%d processes of the jail do not end", left);
        short_rest();
    }
}

static void close_group(struct sbx_cgroup *cgroup, unsigned at)
{
    (void)close(cgroup->group[at].procs_fd);
    (void)close(cgroup->group[at].dir_fd);
}

int sbx_cgroup_remove(struct sbx_cgroup *cgroup, struct sbx_err *err)
{
    int64_t end = now_ms() + REMOVE_TIMEOUT_MS;
    int result = 0;
    while (cgroup->count) {
        unsigned at = --cgroup->count;
        int failed;
        while ((failed = rmdir(cgroup->group[at].path)) && errno == EBUSY && now_ms() < end)
            short_rest();
        if (failed && errno != ENOENT)
            result = sbx_fail(err, SBX_E_SYSTEM, errno, "cannot remove control group %s",
                              cgroup->group[at].path);
        close_group(cgroup, at);
    }
    return result;
}

/* All groups that a jail of this name can have had: every controller, limited or not. */
static int open_left(const char *name, struct sbx_cgroup *cgroup, struct sbx_err *err)
{
    struct sbx_cgroup_place place[SBX_CGROUP_MAX];
    unsigned count;
    _cleanup_free_ struct sbx_hierarchies *tree = calloc(1, sizeof(*tree));
    if (!tree)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the control groups");
    if (sbx_hierarchies_read(tree, err))
        return -1;
    const struct sbx_cgroup_limits all = {
        .memory_bytes = sbx_hierarchy_v1(tree, "memory") ? 1 : -1,
        .cpu_percent = sbx_hierarchy_v1(tree, "cpu") ? 1 : -1,
        .tasks = 1,
    };
    if (sbx_cgroup_places(tree, name, &all, place, &count, err))
        return -1;
    for (unsigned i = 0; i < count; i++) {
        struct stat st;
        if (stat(place[i].path, &st) && errno == ENOENT)
            continue;
        if (sbx_cgroup_add(cgroup, &place[i], err))
            return -1;
    }
    return 0;
}

int sbx_cgroup_sweep(const char *name, struct sbx_err *err)
{
    struct sbx_cgroup left = SBX_CGROUP_INIT;
    int result = open_left(name, &left, err);
    if (!result && left.count)
        result = sbx_cgroup_kill(&left, SWEEP_TIMEOUT_MS, err);
    if (!result)
        return sbx_cgroup_remove(&left, err);
    while (left.count)
        close_group(&left, --left.count);
    return result;
}
