/* Control groups of one jail: where its processes are counted, limited and ended.
 *
 * v2: one group; `jail` in the delegated group of sbx-jail@JAIL.service under systemd, else sbx-NAME
 * at the root. v1 or hybrid: sbx-NAME in pids, and in memory and cpu where these are limited (each
 * group costs every login a move of some milliseconds). Everything is held by descriptor; names are
 * used only to create and remove. */
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
        char path[512];      /* absolute, for removal and messages */
        char name[512];      /* the same group as /proc/PID/cgroup spells it */
        char controller[16]; /* of its hierarchy in v1, "" in v2 */
        int dir_fd;
        int procs_fd; /* takes "0" from a process with one thread: sent to those who join */
    } group[SBX_CGROUP_MAX];
    bool is_v2; /* group[0] is the v2 group: has cgroup.kill and cgroup.events; else it is pids */
};

#define SBX_CGROUP_INIT                                                                            \
    (struct sbx_cgroup)                                                                            \
    {                                                                                              \
        .count = 0                                                                                 \
    }

/* Moves the calling process out of the groups of the login that started it, so that neither the end
 * of that session nor its limits reach a jail: to the roots, or, in a unit sbx-jail@….service, with
 * all that runs in the unit into `warden` below the unit's group. Children follow. Runs as root. */
int sbx_cgroup_leave(struct sbx_err *err) SBX_MUST_CHECK;

/* Makes the groups for jail id `name`, sets the limits and reads them back: a limit that the kernel
 * did not take is an error. Does sbx_cgroup_leave() first: a v2 group with controllers below it can
 * hold no process. `name` (letters, digits, -) must be unique on the machine, also over --root
 * directories; a group of that name that is there is an error (see sbx_cgroup_sweep). Leaves nothing
 * behind on failure. Runs as root. */
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
