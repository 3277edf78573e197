/* Entering a jail: the last things a root process does before it belongs to the account.
 *
 * Order is part of the promise: cgroup first (while its descriptor still means something), then
 * rlimits, no_new_privs, the bounding set, setns, and last the deny-list filter and the session's seal,
 * so that nothing above has to be let through them. */
#ifndef SBX_JAIL_JOIN_H
#define SBX_JAIL_JOIN_H

#include <linux/filter.h>
#include <stddef.h>
#include <sys/resource.h>

#include "policy/err.h"

#define SBX_JOIN_CGROUPS 6
#define SBX_JOIN_RLIMITS 6

struct sbx_join {
    int init_pidfd;
    int procs_fd[SBX_JOIN_CGROUPS]; /* sbx_cgroup.group[].procs_fd */
    unsigned procs_count;
    struct {
        int resource;
        rlim_t value;
    } rlimit[SBX_JOIN_RLIMITS];
    unsigned rlimit_count;
    struct sock_filter *filter; /* heap; owned */
    unsigned short filter_count;
};

#define SBX_JOIN_INIT                                                                              \
    (struct sbx_join)                                                                              \
    {                                                                                              \
        .init_pidfd = -1                                                                           \
    }

/* Moves the calling process into the jail. Runs as root, in the process that is to be confined (for
 * sshd: the user's child, never the monitor). Nothing hostile is read. The pid namespace takes
 * effect for children. Reopens the current directory by its path in the jail's view, else "/".
 *
 * Returns 0 inside the jail. On -1 with *entered set, the process is partly inside: it must end with
 * _exit(254), there is no way back. On -1 with *entered clear, only cgroup, limits and no_new_privs
 * may have changed; such a process must not go on to serve the account either. */
int sbx_join_enter(const struct sbx_join *join, int *entered, struct sbx_err *err) SBX_MUST_CHECK;

/* Takes the mark of a session (jail/sessiondir.h) off the calling process, which somebody may have
 * started from within another session. Part of a join; by itself for a session without a jail. */
int sbx_join_remove_mark(struct sbx_err *err) SBX_MUST_CHECK;

/* Closes descriptors and frees the filter. Safe on SBX_JOIN_INIT. */
void sbx_join_release(struct sbx_join *join);

#endif
