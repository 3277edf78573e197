/* The janitor: one small process that outlives a killed warden just long enough to clean up.
 *
 * It is forked from the warden when the jail stands, holds a pidfd of it, and does nothing until that
 * says "ended". After a proper end it finds nothing of the jail; after SIGKILL it ends the jail's
 * processes, removes its groups and its directory, and records the end. If the janitor itself is
 * killed, the warden sees the pipe close and ends the jail in good order. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

#include "jail/sys.h"
#include "policy/cleanup.h"
#include "warden/warden.h"

#define GROUP_TRIES 20u /* each a few seconds long */

/* Reads the first line of jails/NAME/cgroup: the group's name, and the warden's pid at its end. */
static pid_t warden_of(int jails_fd, const char *name, char *group, size_t size)
{
    char path[NAME_MAX + 16];
    (void)snprintf(path, sizeof(path), "%s/cgroup", name);
    _cleanup_fd_ int fd = openat(jails_fd, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, group, size - 1);
    if (n <= 0)
        return 0;
    group[n] = '\0';
    group[strcspn(group, "\n")] = '\0';
    const char *pid = strrchr(group, 'w');
    return pid ? (pid_t)strtol(pid + 1, NULL, 10) : 0;
}

/* Is the directory of this name the killed warden's, or a successor's? Its group's name tells. */
static bool is_its_directory(int jails_fd, const char *name, const char *cgroup_name)
{
    char group[128];
    return warden_of(jails_fd, name, group, sizeof(group)) > 0 && !strcmp(group, cgroup_name);
}

static void record_end(const struct sbx_paths *paths, const char *jail, const char *account,
                       uid_t uid)
{
    struct sbx_err err;
    struct sbx_log *log = NULL;
    _cleanup_fd_ int dir = sbx_paths_open(paths, SBX_LOG_DIR, 0, &err);
    if (dir < 0 || sbx_log_open(&log, dir, jail, 0, true, &err))
        return;
    const struct sbx_event event = {
        .kind = SBX_EVENT_JAIL,
        .action = "end",
        .reason = "the warden was killed; the jail was ended after it",
        .account = account,
        .uid = uid,
        .loginuid = -1,
    };
    (void)!sbx_log_append(log, &event, NULL, &err);
    sbx_log_close(log);
}

/* A successor is built under the id's lock: nothing of its may be taken for the dead one's. */
static int take_lock(int jails_fd, const char *jail)
{
    char name[SBX_JAIL_ID_BYTES + sizeof(".lock")];
    (void)snprintf(name, sizeof(name), "%s.lock", jail);
    for (unsigned i = 0; i < 100; i++) {
        _cleanup_fd_ int fd =
            openat(jails_fd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        struct stat held, named;
        if (fd < 0 || flock(fd, LOCK_EX))
            return -1;
        if (!fstat(fd, &held) && !fstatat(jails_fd, name, &named, AT_SYMLINK_NOFOLLOW) &&
            held.st_ino == named.st_ino && held.st_dev == named.st_dev)
            return sbx_steal_fd(&fd);
    }
    return -1;
}

static void drop_lock(int jails_fd, const char *jail, int fd)
{
    char name[SBX_JAIL_ID_BYTES + sizeof(".lock")];
    (void)snprintf(name, sizeof(name), "%s.lock", jail);
    if (fd < 0)
        return;
    (void)unlinkat(jails_fd, name, 0);
    (void)close(fd);
}

void sbx_janitor_sweep(const struct sbx_paths *paths, const char *jail, const char *cgroup_name)
{
    struct sbx_err err;
    char aside[64];
    _cleanup_fd_ int jails_fd = sbx_paths_open(paths, SBX_JAILS_DIR, 0, &err);
    (void)sbx_cgroup_sweep(cgroup_name, &err);
    if (jails_fd < 0)
        return;
    const char *pid = strrchr(cgroup_name, 'w');
    (void)snprintf(aside, sizeof(aside), "%s~%s", jail, pid ? pid + 1 : "");
    if (is_its_directory(jails_fd, aside, cgroup_name))
        sbx_files_remove(jails_fd, aside);
    int lock = take_lock(jails_fd, jail);
    if (is_its_directory(jails_fd, jail, cgroup_name))
        sbx_files_remove(jails_fd, jail);
    drop_lock(jails_fd, jail, lock);
}

/* The next directory of the id, or of one that retired from it, whose warden lives no more: its name,
 * or NULL; and the name of its group. */
static const char *next_dead(DIR *dir, int jails_fd, const char *jail, char *group, size_t size)
{
    size_t len = strlen(jail);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *name = entry->d_name;
        if (strncmp(name, jail, len) != 0 || (name[len] != '\0' && name[len] != '~'))
            continue;
        pid_t pid = warden_of(jails_fd, name, group, size);
        if (pid > 0 && !sbx_is_warden(pid))
            return name;
    }
    return NULL;
}

static DIR *open_jails(int jails_fd)
{
    int fd = jails_fd < 0 ? -1 : openat(jails_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? NULL : fdopendir(fd);
}

/* Before a new jail of this id, whose lock the caller holds: a warden and its janitor that were killed
 * in one moment had nobody to clean up after them. */
void sbx_janitor_sweep_left(int jails_fd, const char *jail)
{
    struct sbx_err err;
    char group[128];
    _cleanup_dir_ DIR *dir = open_jails(jails_fd);
    for (const char *name; (name = next_dead(dir, jails_fd, jail, group, sizeof(group)));) {
        (void)sbx_cgroup_sweep(group, &err);
        sbx_files_remove(jails_fd, name);
    }
}

/* After the unit ended, or by hand: whatever wardens of this id that no longer live have left. */
void sbx_janitor_sweep_dead(const struct sbx_paths *paths, const char *jail)
{
    struct sbx_err err;
    char group[128];
    _cleanup_fd_ int jails_fd = sbx_paths_open(paths, SBX_JAILS_DIR, 0, &err);
    _cleanup_dir_ DIR *dir = open_jails(jails_fd);
    while (next_dead(dir, jails_fd, jail, group, sizeof(group))) {
        sbx_janitor_sweep(paths, jail, group);
        record_end(paths, jail, NULL, (uid_t)strtoul(jail, NULL, 10));
    }
}

static bool has_left_something(const struct sbx_warden *warden)
{
    char aside[64];
    const char *pid = strrchr(warden->cgroup_name, 'w');
    (void)snprintf(aside, sizeof(aside), "%s~%s", warden->jail_id, pid ? pid + 1 : "");
    return is_its_directory(warden->jails_fd, warden->jail_id, warden->cgroup_name) ||
           is_its_directory(warden->jails_fd, aside, warden->cgroup_name);
}

static void watch(const struct sbx_warden *warden, int warden_pidfd)
{
    struct pollfd poll_fd = {.fd = warden_pidfd, .events = POLLIN};
    while (poll(&poll_fd, 1, -1) < 0 && errno == EINTR)
        ;
    if (has_left_something(warden)) {
        sbx_janitor_sweep(&warden->paths, warden->jail_id, warden->cgroup_name);
        record_end(&warden->paths, warden->jail_id, warden->account.name, warden->account.uid);
    }
    /* A group cannot go before its zombies do, and those are for their parents to reap: on a busy
     * machine that takes longer than anybody may be kept waiting. */
    struct sbx_err err;
    const struct timespec rest = {.tv_nsec = 200 * 1000 * 1000};
    for (unsigned i = 0; i < GROUP_TRIES && sbx_cgroup_sweep(warden->cgroup_name, &err); i++)
        (void)nanosleep(&rest, NULL);
}

/* The child keeps what it needs to clean up, and nothing that holds the jail or a session open. */
static void let_go(const struct sbx_warden *warden, int keep_a, int keep_b)
{
    unsigned low = (unsigned)(keep_a < keep_b ? keep_a : keep_b);
    unsigned high = (unsigned)(keep_a < keep_b ? keep_b : keep_a);
    unsigned jails = (unsigned)warden->jails_fd;
    for (unsigned fd = 3; fd < 4096; fd++) {
        if (fd == low || fd == high || fd == jails)
            continue;
        if (fd > low && fd > high && fd > jails) {
            (void)sbx_sys_close_range(fd, ~0u, 0);
            return;
        }
        (void)close((int)fd);
    }
}

int sbx_janitor_start(struct sbx_warden *warden, struct sbx_err *err)
{
    int ends[2];
    pid_t self = getpid();
    _cleanup_fd_ int pidfd = sbx_sys_pidfd_open(self, 0);
    if (pidfd < 0 || pipe2(ends, O_CLOEXEC))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot prepare the janitor");
    pid_t pid = fork();
    if (pid == 0) {
        sigset_t all;
        (void)sigfillset(&all); /* a group-wide TERM must not end the one that cleans up */
        (void)sigprocmask(SIG_SETMASK, &all, NULL);
        (void)prctl(PR_SET_NAME, "sbx-janitor");
        let_go(warden, pidfd, ends[1]);
        watch(warden, pidfd);
        _exit(0);
    }
    int saved = errno;
    (void)close(ends[1]);
    if (pid < 0) {
        (void)close(ends[0]);
        return sbx_fail(err, SBX_E_SYSTEM, saved, "cannot fork the janitor");
    }
    warden->janitor_fd = ends[0];
    warden->janitor_pid = pid;
    return 0;
}
