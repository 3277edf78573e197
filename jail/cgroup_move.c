/* Getting the warden out of the groups of whoever started it. */
#include "jail/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/cgroup_tree.h"
#include "policy/cleanup.h"

#define MOVE_ROUNDS 50 /* forks while we move; each round takes all that were there */

static int move_into(const struct sbx_hierarchy *hierarchy, struct sbx_err *err)
{
    _cleanup_fd_ int fd = open(hierarchy->mount, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || sbx_cgroup_write(fd, sbx_cgroup_self_file(hierarchy->is_v2), "0"))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot move to control group %s",
                        hierarchy->mount);
    return 0;
}

/* Moves every process of the unit's group into `to`; returns how many were seen, -1 on failure. */
static int move_all(int unit_fd, int to_fd)
{
    _cleanup_fd_ int procs = openat(unit_fd, "cgroup.procs", O_RDONLY | O_CLOEXEC);
    _cleanup_file_ FILE *file = procs < 0 ? NULL : fdopen(procs, "r");
    if (!file)
        return -1;
    (void)sbx_steal_fd(&procs); /* the stream's now */
    char line[32];
    int seen = 0;
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        seen++;
        if (sbx_cgroup_write(to_fd, "cgroup.procs", line) && errno != ESRCH)
            return -1;
    }
    return seen;
}

/* The unit's group must be empty before it can hand controllers down ("no internal processes"). */
static int settle_in_unit(const char *unit, struct sbx_err *err)
{
    _cleanup_fd_ int unit_fd = open(unit, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (unit_fd < 0 || (mkdirat(unit_fd, "warden", 0755) && errno != EEXIST))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a control group in %s", unit);
    _cleanup_fd_ int to_fd = openat(unit_fd, "warden", O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (int round = 0; to_fd >= 0 && round < MOVE_ROUNDS; round++) {
        int seen = move_all(unit_fd, to_fd);
        if (seen == 0)
            return 0;
        if (seen < 0)
            break;
    }
    return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot move out of control group %s", unit);
}

int sbx_cgroup_leave(struct sbx_err *err)
{
    _cleanup_free_ struct sbx_hierarchies *tree = calloc(1, sizeof(*tree));
    if (!tree)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the control groups");
    if (sbx_hierarchies_read(tree, err))
        return -1;
    for (size_t i = 0; i < tree->count; i++) {
        const struct sbx_hierarchy *at = &tree->at[i];
        char unit[SBX_CGROUP_PATH];
        bool is_systemds = at->is_v2 || strstr(at->controllers, "name=systemd");
        if (is_systemds && sbx_hierarchy_unit(at, unit)) {
            if (at->is_v2 && settle_in_unit(unit, err))
                return -1;
        } else if (strcmp(at->own, at->root) && move_into(at, err)) {
            return -1;
        }
    }
    return 0;
}
