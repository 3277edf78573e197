/* Where the hierarchies of control groups are mounted, and where in them this process is. Shared by
 * jail/cgroup*.c only. */
#ifndef SBX_JAIL_CGROUP_TREE_H
#define SBX_JAIL_CGROUP_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "jail/cgroup.h"
#include "policy/err.h"

#define SBX_HIERARCHIES_MAX 24
#define SBX_CGROUP_PATH     512

struct sbx_hierarchy {
    char mount[SBX_CGROUP_PATH / 2]; /* where it is mounted */
    char root[SBX_CGROUP_PATH / 2];  /* the group seen there; "" for the root of all */
    char own[SBX_CGROUP_PATH / 2];   /* the caller's group; "" for the root of all */
    char controllers[128];           /* v1: comma-separated; "" in v2 */
    bool is_v2;
};

struct sbx_hierarchies {
    size_t count;
    struct sbx_hierarchy at[SBX_HIERARCHIES_MAX];
};

int sbx_hierarchies_read(struct sbx_hierarchies *tree, struct sbx_err *err) SBX_MUST_CHECK;

/* The hierarchy of a v1 controller, or NULL. */
const struct sbx_hierarchy *sbx_hierarchy_v1(const struct sbx_hierarchies *tree,
                                             const char *controller);

/* The v2 hierarchy if it has the pids controller to give (in hybrid set-ups it has not), or NULL. */
const struct sbx_hierarchy *sbx_hierarchy_v2(const struct sbx_hierarchies *tree);

/* The group of our unit, if the caller runs in one (or in `warden` below it): absolute path. */
bool sbx_hierarchy_unit(const struct sbx_hierarchy *hierarchy, char path[SBX_CGROUP_PATH]);

/* Writes text to, or reads the first bytes of, a file of a group. Trailing white space goes. */
int sbx_cgroup_write(int dir_fd, const char *file, const char *text);
int sbx_cgroup_read(int dir_fd, const char *file, char *out, size_t size);

/* The file of a group into which a process with one thread writes "0" to move itself there. v1 has one
 * that moves a thread: the kernel then need not stop every fork and exit of the machine for it, which
 * takes a grace period of RCU, 15 ms and more. In v2 only whole processes go to another group. */
const char *sbx_cgroup_self_file(bool is_v2);

/* One group of the jail: where it is to be. */
struct sbx_cgroup_place {
    char path[SBX_CGROUP_PATH], name[SBX_CGROUP_PATH], parent[SBX_CGROUP_PATH];
    char controller[16];
    bool is_v2;
};

/* Places for jail `name` with these limits, the one that counts processes first. */
int sbx_cgroup_places(const struct sbx_hierarchies *tree, const char *name,
                      const struct sbx_cgroup_limits *limits,
                      struct sbx_cgroup_place place[SBX_CGROUP_MAX], unsigned *count,
                      struct sbx_err *err) SBX_MUST_CHECK;

/* Opens what is at `place` as the next group of *cgroup. */
int sbx_cgroup_add(struct sbx_cgroup *cgroup, const struct sbx_cgroup_place *place,
                   struct sbx_err *err) SBX_MUST_CHECK;

#endif
