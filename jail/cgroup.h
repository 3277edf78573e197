/* Control groups of one jail: where its processes are counted, limited and ended.
 *
 * v2: one group `jail` with memory, pids and cpu below a group of ours; under systemd the group of
 * ours is the delegated one of sbx-jail@JAIL.service. v1 or hybrid: one group in each of pids,
 * memory and cpu. Everything is held by descriptor; names are used only to create and remove. */
#ifndef SBX_JAIL_CGROUP_H
#define SBX_JAIL_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "policy/err.h"

#define SBX_CGROUP_MAX 4

struct sbx_cgroup_limits { /* -1: no limit */
    int64_t memory_bytes, tasks, cpu_percent;
};

struct sbx_cgroup {
    unsigned count;
    struct {
        char path[512];  /* absolute, for removal and messages */
        int dir_fd;
        int procs_fd;    /* cgroup.procs for writing: sent to those who join */
    } group[SBX_CGROUP_MAX];
    bool is_v2;          /* group[0] is the v2 group: has cgroup.kill and cgroup.events */
};

/* Makes the groups for jail id `name`, sets the limits and reads them back: a limit that the kernel
 * did not take is an error. Moves the calling process (the warden) out of the login's groups into
 * one of its own first. Leaves nothing behind on failure. Runs as root. */
int sbx_cgroup_create(struct sbx_cgroup *cgroup, const char *name,
                      const struct sbx_cgroup_limits *limits, struct sbx_err *err) SBX_MUST_CHECK;

/* Number of processes in the jail's group, -1 on failure. */
int sbx_cgroup_population(const struct sbx_cgroup *cgroup);

/* True where `pid` is in the jail's group. */
bool sbx_cgroup_has(const struct sbx_cgroup *cgroup, pid_t pid);

/* Ends every process in the group: cgroup.kill, or no new tasks and SIGKILL by pidfd until none is
 * left. Returns 0 when empty, -1 after `timeout_ms`. */
int sbx_cgroup_kill(const struct sbx_cgroup *cgroup, int timeout_ms,
                    struct sbx_err *err) SBX_MUST_CHECK;

/* Removes the groups and closes the descriptors. The groups must be empty; tries for a while, since
 * zombies leave late. */
int sbx_cgroup_remove(struct sbx_cgroup *cgroup, struct sbx_err *err);

/* The same by jail id alone, for what a killed warden left: kills, then removes. */
int sbx_cgroup_sweep(const char *name, struct sbx_err *err);

#endif
