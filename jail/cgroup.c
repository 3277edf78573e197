#include "jail/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/cgroup_tree.h"
#include "policy/cleanup.h"

#define CPU_PERIOD_US 100000
#define PAGE_MASK     ((int64_t)65535) /* the largest page of an architecture of ours */

enum amount {
    AMOUNT_MEMORY,
    AMOUNT_NO_SWAP,
    AMOUNT_TASKS,
    AMOUNT_CPU,
    AMOUNT_PERIOD,
    AMOUNT_QUOTA
};

/* Files of the limits, in the order in which they are written. Swap counts as memory, or a limit of
 * memory would only move the load to the disk; kernels without swap accounting lack these files. */
static const struct {
    bool is_v2;
    const char *controller, *file;
    enum amount amount;
    bool is_optional;
} limit_files[] = {
    {true,  "memory", "memory.max",                  AMOUNT_MEMORY,  false},
    {true,  "memory", "memory.swap.max",             AMOUNT_NO_SWAP, true },
    {true,  "pids",   "pids.max",                    AMOUNT_TASKS,   false},
    {true,  "cpu",    "cpu.max",                     AMOUNT_CPU,     false},
    {false, "memory", "memory.limit_in_bytes",       AMOUNT_MEMORY,  false},
    {false, "memory", "memory.memsw.limit_in_bytes", AMOUNT_MEMORY,  true },
    {false, "pids",   "pids.max",                    AMOUNT_TASKS,   false},
    {false, "cpu",    "cpu.cfs_period_us",           AMOUNT_PERIOD,  false},
    {false, "cpu",    "cpu.cfs_quota_us",            AMOUNT_QUOTA,   false},
};

static const struct {
    const char *name;
    size_t offset; /* of its limit */
} controllers[] = {
    {"pids",   offsetof(struct sbx_cgroup_limits, tasks)       },
    {"memory", offsetof(struct sbx_cgroup_limits, memory_bytes)},
    {"cpu",    offsetof(struct sbx_cgroup_limits, cpu_percent) },
};
#define CONTROLLERS (sizeof(controllers) / sizeof(*controllers))

static int64_t limit_of(const struct sbx_cgroup_limits *limits, const char *controller)
{
    for (size_t i = 0; i < CONTROLLERS; i++)
        if (!strcmp(controllers[i].name, controller))
            return *(const int64_t *)(const void *)((const char *)limits + controllers[i].offset);
    return -1;
}

/* Only plain names become part of a path. */
static bool is_plain(const char *name)
{
    size_t length = strspn(name, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
    return length > 0 && length < 64 && !name[length];
}

static void place_below(const struct sbx_hierarchy *hierarchy, const char *parent, const char *leaf,
                        struct sbx_cgroup_place *place)
{
    *place = (struct sbx_cgroup_place){.is_v2 = hierarchy->is_v2};
    (void)snprintf(place->parent, sizeof(place->parent), "%s", parent);
    (void)snprintf(place->path, sizeof(place->path), "%.400s/%s", parent, leaf);
    (void)snprintf(place->name, sizeof(place->name), "%s%s", hierarchy->root,
                   place->path + strlen(hierarchy->mount));
}

int sbx_cgroup_places(const struct sbx_hierarchies *tree, const char *name,
                      const struct sbx_cgroup_limits *limits,
                      struct sbx_cgroup_place place[SBX_CGROUP_MAX], unsigned *count,
                      struct sbx_err *err)
{
    char leaf[80], unit[SBX_CGROUP_PATH];
    *count = 0;
    if (!is_plain(name))
        return sbx_fail(err, SBX_E_USAGE, 0, "'%s' cannot name a control group", name);
    (void)snprintf(leaf, sizeof(leaf), "sbx-%s", name);
    const struct sbx_hierarchy *v2 = sbx_hierarchy_v2(tree);
    if (v2) {
        bool has_unit = sbx_hierarchy_unit(v2, unit);
        place_below(v2, has_unit ? unit : v2->mount, has_unit ? "jail" : leaf, &place[(*count)++]);
        return 0;
    }
    for (size_t i = 0; i < CONTROLLERS; i++) {
        const char *controller = controllers[i].name;
        bool is_pids = i == 0; /* counts and ends the jail's processes, limited or not */
        if (!is_pids && limit_of(limits, controller) < 0)
            continue;
        const struct sbx_hierarchy *v1 = sbx_hierarchy_v1(tree, controller);
        if (!v1)
            return sbx_fail(err, SBX_E_UNSUPPORTED, 0, "no %s controller of control groups here",
                            controller);
        place_below(v1, v1->mount, leaf, &place[*count]);
        (void)snprintf(place[*count].controller, sizeof(place->controller), "%s", controller);
        ++*count;
    }
    return 0;
}

int sbx_cgroup_add(struct sbx_cgroup *cgroup, const struct sbx_cgroup_place *place,
                   struct sbx_err *err)
{
    if (cgroup->count == SBX_CGROUP_MAX)
        return sbx_fail(err, SBX_E_LIMIT, 0, "too many control groups");
    _cleanup_fd_ int dir_fd = open(place->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const char *file = sbx_cgroup_self_file(place->is_v2);
    _cleanup_fd_ int procs_fd = dir_fd < 0 ? -1 : openat(dir_fd, file, O_WRONLY | O_CLOEXEC);
    if (dir_fd < 0 || procs_fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open %s", place->path);
    unsigned at = cgroup->count++;
    memcpy(cgroup->group[at].path, place->path, sizeof(place->path));
    memcpy(cgroup->group[at].name, place->name, sizeof(place->name));
    memcpy(cgroup->group[at].controller, place->controller, sizeof(place->controller));
    cgroup->group[at].dir_fd = sbx_steal_fd(&dir_fd);
    cgroup->group[at].procs_fd = sbx_steal_fd(&procs_fd);
    cgroup->is_v2 = place->is_v2;
    return 0;
}

/* --- limits -------------------------------------------------------------------------------------*/
static void amount_text(enum amount amount, const struct sbx_cgroup_limits *limits, char out[64])
{
    int64_t quota = limits->cpu_percent * (CPU_PERIOD_US / 100);
    switch (amount) {
    case AMOUNT_MEMORY:
        (void)snprintf(out, 64, "%" PRId64, limits->memory_bytes);
        break;
    case AMOUNT_TASKS:
        (void)snprintf(out, 64, "%" PRId64, limits->tasks);
        break;
    case AMOUNT_CPU:
        (void)snprintf(out, 64, "%" PRId64 " %d", quota, CPU_PERIOD_US);
        break;
    case AMOUNT_PERIOD:
        (void)snprintf(out, 64, "%d", CPU_PERIOD_US);
        break;
    case AMOUNT_QUOTA:
        (void)snprintf(out, 64, "%" PRId64, quota);
        break;
    case AMOUNT_NO_SWAP:
        (void)snprintf(out, 64, "0");
        break;
    }
}

/* Memory is counted in pages: the kernel rounds down. */
static bool took(enum amount amount, const char *asked, const char *got)
{
    if (amount != AMOUNT_MEMORY)
        return !strcmp(asked, got);
    char *end;
    errno = 0;
    int64_t want = strtoll(asked, NULL, 10), is = strtoll(got, &end, 10);
    return !errno && end != got && !*end && is <= want && want - is <= PAGE_MASK;
}

static int set_limit(int dir_fd, size_t row, const struct sbx_cgroup_limits *limits,
                     struct sbx_err *err)
{
    char asked[64], got[64] = "";
    const char *file = limit_files[row].file;
    if (limit_files[row].is_optional && faccessat(dir_fd, file, F_OK, 0))
        return 0;
    amount_text(limit_files[row].amount, limits, asked);
    if (sbx_cgroup_write(dir_fd, file, asked))
        return sbx_fail(err, SBX_E_UNSUPPORTED, errno, "cannot set %s to %s", file, asked);
    if (sbx_cgroup_read(dir_fd, file, got, sizeof(got)) ||
        !took(limit_files[row].amount, asked, got))
        return sbx_fail(err, SBX_E_UNSUPPORTED, 0, "%s is '%s' after setting it to %s", file, got,
                        asked);
    return 0;
}

static int set_limits(const struct sbx_cgroup *cgroup, unsigned at,
                      const struct sbx_cgroup_limits *limits, struct sbx_err *err)
{
    const char *own = cgroup->group[at].controller;
    for (size_t row = 0; row < sizeof(limit_files) / sizeof(*limit_files); row++) {
        const char *controller = limit_files[row].controller;
        if (limit_files[row].is_v2 != cgroup->is_v2 || limit_of(limits, controller) < 0 ||
            (!cgroup->is_v2 && strcmp(own, controller)))
            continue;
        if (set_limit(cgroup->group[at].dir_fd, row, limits, err))
            return -1;
    }
    return 0;
}

/* v2: a group has the controllers that its parent hands down. */
static int hand_down(const char *parent, const struct sbx_cgroup_limits *limits,
                     struct sbx_err *err)
{
    _cleanup_fd_ int fd = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; i < CONTROLLERS; i++) {
        char word[32];
        if (limit_of(limits, controllers[i].name) < 0)
            continue;
        (void)snprintf(word, sizeof(word), "+%s", controllers[i].name);
        if (fd < 0 || sbx_cgroup_write(fd, "cgroup.subtree_control", word))
            return sbx_fail(err, SBX_E_UNSUPPORTED, errno, "cannot use the %s controller below %s",
                            controllers[i].name, parent);
    }
    return 0;
}

static int create_one(struct sbx_cgroup *cgroup, const struct sbx_cgroup_place *place,
                      const struct sbx_cgroup_limits *limits, struct sbx_err *err)
{
    if (place->is_v2 && hand_down(place->parent, limits, err))
        return -1;
    if (mkdir(place->path, 0755))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make control group %s", place->path);
    if (sbx_cgroup_add(cgroup, place, err)) {
        (void)rmdir(place->path);
        return -1;
    }
    return set_limits(cgroup, cgroup->count - 1, limits, err);
}

int sbx_cgroup_create(struct sbx_cgroup *cgroup, const char *name,
                      const struct sbx_cgroup_limits *limits, struct sbx_err *err)
{
    struct sbx_cgroup_place place[SBX_CGROUP_MAX];
    unsigned count;
    _cleanup_free_ struct sbx_hierarchies *tree = calloc(1, sizeof(*tree));
    *cgroup = SBX_CGROUP_INIT;
    if (!tree)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the control groups");
    if (sbx_cgroup_leave(err) || sbx_hierarchies_read(tree, err) ||
        sbx_cgroup_places(tree, name, limits, place, &count, err))
        return -1;
    for (unsigned i = 0; i < count; i++)
        if (create_one(cgroup, &place[i], limits, err)) {
            (void)sbx_cgroup_remove(cgroup, NULL);
            return -1;
        }
    return 0;
}
