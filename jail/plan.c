#include "jail/plan.h"

#include <stdio.h>
#include <string.h>

#include "policy/path.h"

#define PLAN_BYTES      ((size_t)8 * 1024 * 1024)
#define TMP_BYTES       ((uint64_t)1024 * 1024 * 1024)
#define SELF_BINDS_DEEP 64

/* What every view starts from. size 0 with kind TMPFS: [limits] tmp_size. */
static const struct sbx_step system_base[] = {
    {SBX_STEP_BIND, 0,                 "/usr",           "/usr",           0, 0   },
    {SBX_STEP_COPY, SBX_STEP_OPTIONAL, "/bin",           "/bin",           0, 0   },
    {SBX_STEP_COPY, SBX_STEP_OPTIONAL, "/sbin",          "/sbin",          0, 0   },
    {SBX_STEP_COPY, SBX_STEP_OPTIONAL, "/lib",           "/lib",           0, 0   },
    {SBX_STEP_COPY, SBX_STEP_OPTIONAL, "/lib32",         "/lib32",         0, 0   },
    {SBX_STEP_COPY, SBX_STEP_OPTIONAL, "/lib64",         "/lib64",         0, 0   },
    {SBX_STEP_COPY, SBX_STEP_OPTIONAL, "/libx32",        "/libx32",        0, 0   },
    {SBX_STEP_BIND, 0,                 "/etc",           "/etc",           0, 0   },
    {SBX_STEP_BIND, SBX_STEP_OPTIONAL, "/opt",           "/opt",           0, 0   },
    {SBX_STEP_DIR,  0,                 "/var/lib",       NULL,             0, 0755},
    {SBX_STEP_DIR,  0,                 "/var/cache",     NULL,             0, 0755},
 /* What package tools read to answer "what is installed". */
    {SBX_STEP_BIND, SBX_STEP_OPTIONAL, "/var/lib/dpkg",  "/var/lib/dpkg",  0, 0   },
    {SBX_STEP_BIND, SBX_STEP_OPTIONAL, "/var/lib/apt",   "/var/lib/apt",   0, 0   },
    {SBX_STEP_BIND, SBX_STEP_OPTIONAL, "/var/cache/apt", "/var/cache/apt", 0, 0   },
    {SBX_STEP_BIND, SBX_STEP_OPTIONAL, "/var/lib/rpm",   "/var/lib/rpm",   0, 0   },
    {SBX_STEP_DIR,  0,                 "/home",          NULL,             0, 0755},
    {SBX_STEP_DIR,  0,                 "/run",           NULL,             0, 0755},
    {SBX_STEP_LINK, 0,                 "/var/run",       "/run",           0, 0   },
};

static const struct sbx_step whole_base[] = {
    {SBX_STEP_BIND,  0, "/",    "/",  0,           0   },
 /* Sockets, pid files and the login records of the host. */
    {SBX_STEP_TMPFS, 0, "/run", NULL, 1024 * 1024, 0755},
};

static const struct sbx_step dev_base[] = {
    {SBX_STEP_TMPFS,  0,                 "/dev",         NULL,              1024 * 1024, 0755 },
    {SBX_STEP_NODE,   0,                 "/dev/null",    "/dev/null",       0,           0    },
    {SBX_STEP_NODE,   0,                 "/dev/zero",    "/dev/zero",       0,           0    },
    {SBX_STEP_NODE,   0,                 "/dev/full",    "/dev/full",       0,           0    },
    {SBX_STEP_NODE,   0,                 "/dev/random",  "/dev/random",     0,           0    },
    {SBX_STEP_NODE,   0,                 "/dev/urandom", "/dev/urandom",    0,           0    },
    {SBX_STEP_NODE,   0,                 "/dev/tty",     "/dev/tty",        0,           0    },
    {SBX_STEP_DEVPTS, 0,                 "/dev/pts",     NULL,              0,           0    },
    {SBX_STEP_LINK,   0,                 "/dev/ptmx",    "pts/ptmx",        0,           0    },
    {SBX_STEP_LINK,   0,                 "/dev/fd",      "/proc/self/fd",   0,           0    },
    {SBX_STEP_LINK,   0,                 "/dev/stdin",   "/proc/self/fd/0", 0,           0    },
    {SBX_STEP_LINK,   0,                 "/dev/stdout",  "/proc/self/fd/1", 0,           0    },
    {SBX_STEP_LINK,   0,                 "/dev/stderr",  "/proc/self/fd/2", 0,           0    },
    {SBX_STEP_TMPFS,  SBX_STEP_WRITABLE, "/dev/shm",     NULL,              0,           01777},
    {SBX_STEP_FREEZE, 0,                 "/dev",         NULL,              0,           0    },
};

static const struct sbx_step proc_base[] = {
    {SBX_STEP_PROC,  0,                 "/proc",               NULL, 0, 0},
    {SBX_STEP_SYSFS, 0,                 "/sys",                NULL, 0, 0},
    {SBX_STEP_MASK,  SBX_STEP_OPTIONAL, "/sys/firmware",       NULL, 0, 0},
    {SBX_STEP_MASK,  SBX_STEP_OPTIONAL, "/proc/kcore",         NULL, 0, 0},
    {SBX_STEP_MASK,  SBX_STEP_OPTIONAL, "/proc/keys",          NULL, 0, 0},
    {SBX_STEP_MASK,  SBX_STEP_OPTIONAL, "/proc/key-users",     NULL, 0, 0},
    {SBX_STEP_MASK,  SBX_STEP_OPTIONAL, "/proc/kmsg",          NULL, 0, 0},
    {SBX_STEP_MASK,  SBX_STEP_OPTIONAL, "/proc/timer_list",    NULL, 0, 0},
    {SBX_STEP_MASK,  SBX_STEP_OPTIONAL, "/proc/sched_debug",   NULL, 0, 0},
    {SBX_STEP_MASK,  SBX_STEP_OPTIONAL, "/proc/scsi",          NULL, 0, 0},
    {SBX_STEP_MASK,  SBX_STEP_OPTIONAL, "/proc/acpi",          NULL, 0, 0},
    {SBX_STEP_SELF,  SBX_STEP_OPTIONAL, "/proc/sys",           NULL, 0, 0},
    {SBX_STEP_SELF,  SBX_STEP_OPTIONAL, "/proc/sysrq-trigger", NULL, 0, 0},
    {SBX_STEP_SELF,  SBX_STEP_OPTIONAL, "/proc/irq",           NULL, 0, 0},
    {SBX_STEP_SELF,  SBX_STEP_OPTIONAL, "/proc/bus",           NULL, 0, 0},
    {SBX_STEP_SELF,  SBX_STEP_OPTIONAL, "/proc/fs",            NULL, 0, 0},
};

static const char *const step_names[] = {"dir",  "link",  "copy",   "bind", "self", "tmpfs",
                                         "proc", "sysfs", "devpts", "node", "mask", "freeze"};

const char *sbx_step_name(enum sbx_step_kind kind)
{
    return step_names[kind];
}

static int add(struct sbx_plan *plan, struct sbx_step step, struct sbx_err *err)
{
    if (plan->count >= SBX_PLAN_MAX_STEPS)
        return sbx_fail(err, SBX_E_LIMIT, 0,
                        "the policy asks for more than %d mounts; name directories, not files",
                        SBX_PLAN_MAX_STEPS);
    plan->steps[plan->count++] = step;
    return 0;
}

static int add_table(struct sbx_plan *plan, const struct sbx_step *table, size_t count,
                     uint64_t tmp_bytes, struct sbx_err *err)
{
    for (size_t i = 0; i < count; i++) {
        struct sbx_step step = table[i];
        if (step.kind == SBX_STEP_TMPFS && !step.size_bytes)
            step.size_bytes = tmp_bytes;
        if (add(plan, step, err))
            return -1;
    }
    return 0;
}

#define ADD_TABLE(plan, table, tmp, err)                                                           \
    add_table(plan, table, sizeof(table) / sizeof(*(table)), tmp, err)

static int add_tmp(struct sbx_plan *plan, const struct sbx_policy *policy, uint64_t tmp_bytes,
                   struct sbx_err *err)
{
    static const char *const places[] = {"/tmp", "/var/tmp"};
    bool is_private = sbx_policy_flag(policy, SBX_KEY_JAIL_PRIVATE_TMP);
    for (size_t i = 0; i < 2; i++) {
        struct sbx_step step = {SBX_STEP_TMPFS, SBX_STEP_WRITABLE, places[i],
                                NULL,           tmp_bytes,         01777};
        if (!is_private)
            step = (struct sbx_step){SBX_STEP_BIND, SBX_STEP_WRITABLE, places[i], places[i], 0, 0};
        if (add(plan, step, err))
            return -1;
    }
    return 0;
}

/* The parent of an absolute path, in the plan's arena; "/" for what lies in it. */
static const char *parent_of(struct sbx_plan *plan, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == path ? "/" : sbx_arena_strndup(&plan->arena, path, (size_t)(slash - path));
}

static bool is_below(const char *path, const char *top)
{
    size_t len = strlen(top);
    if (len == 1)
        return path[1] != '\0';
    return !strncmp(path, top, len) && path[len] == '/';
}

/* Places with mounts of their own: no rule of the policy's is carried out there. */
static bool is_ours(const char *path)
{
    static const char *const trees[] = {"/dev", "/proc", "/sys", "/run"};
    for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++)
        if (!strcmp(path, trees[i]) || is_below(path, trees[i]))
            return true;
    return !strcmp(path, "/") || !strcmp(path, "/tmp") || !strcmp(path, "/var/tmp");
}

struct state {
    bool readable, writable;
};

static struct state state_of(const struct sbx_policy *policy, const char *path)
{
    return (struct state){
        .readable = sbx_path_decide(policy, path, SBX_OP_READ).allowed,
        .writable = sbx_path_decide(policy, path, SBX_OP_WRITE).allowed,
    };
}

/* A mount protects an object, not a name: every directory between a writable root and the protected
 * path becomes a mount point, so that renaming it away says EBUSY. */
static int pin_parents(struct sbx_plan *plan, const struct sbx_policy *policy, const char *path,
                       struct sbx_err *err)
{
    const char *chain[SELF_BINDS_DEEP];
    size_t depth = 0;
    for (const char *p = parent_of(plan, path); p && strcmp(p, "/"); p = parent_of(plan, p)) {
        const char *above = parent_of(plan, p);
        if (!above || !state_of(policy, p).writable || !state_of(policy, above).writable)
            break;
        if (depth == SELF_BINDS_DEEP)
            return sbx_fail(err, SBX_E_LIMIT, 0, "%s lies more than %d directories deep", path,
                            SELF_BINDS_DEEP);
        chain[depth++] = p;
    }
    while (depth) {
        struct sbx_step step = {SBX_STEP_SELF,
                                SBX_STEP_PRESENT | SBX_STEP_ACCOUNT | SBX_STEP_WRITABLE |
                                    SBX_STEP_GUARD,
                                chain[--depth],
                                NULL,
                                0,
                                0};
        if (add(plan, step, err))
            return -1;
    }
    return 0;
}

/* All rules for one path. */
struct group {
    const char *path;
    bool allows_read, allows_write;
    bool is_match; /* of a glob, when the rest of the view stands */
};

/* Does an allow_read re-open something below? Then the mask must let the way there be walked. */
static bool has_opening(const struct sbx_policy *policy, const char *path)
{
    uint32_t count;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0; i < count; i++)
        if (rules[i].kind == SBX_PATH_ALLOW_READ && !(rules[i].flags & SBX_PATH_GLOB) &&
            is_below(sbx_policy_text(policy, rules[i].path), path))
            return true;
    return false;
}

/* Is the place already under a mask, so that nothing below is there? Asked of the plan, not of the rules:
 * a rule for / or one whose glob matches nothing makes none. */
static bool is_under_mask(const struct sbx_plan *plan, const char *path)
{
    const struct sbx_step *nearest = NULL;
    for (size_t i = 0; i < plan->count; i++)
        if (is_below(path, plan->steps[i].path) &&
            (!nearest || strlen(plan->steps[i].path) >= strlen(nearest->path)))
            nearest = &plan->steps[i];
    return nearest && nearest->kind == SBX_STEP_MASK;
}

static int add_group(struct sbx_plan *plan, const struct sbx_policy *policy,
                     const struct group *group, struct sbx_err *err)
{
    const char *path = group->path, *parent = parent_of(plan, path);
    if (!parent)
        return sbx_fail(err, SBX_E_MEMORY, 0, "cannot plan the view: too many paths");
    struct state here = state_of(policy, path), above = state_of(policy, parent);
    struct sbx_step step = {SBX_STEP_BIND, SBX_STEP_ACCOUNT, path, path, 0, 0};
    if (!here.readable) {
        step.kind = SBX_STEP_MASK;
        step.flags |= SBX_STEP_PRESENT | SBX_STEP_GUARD;
        step.mode = has_opening(policy, path) ? 0111 : 0;
        if (!above.readable && (group->is_match || is_under_mask(plan, path)))
            return 0;
    } else if (here.writable) {
        step.flags |= SBX_STEP_WRITABLE | SBX_STEP_TELL;
        if (!strcmp(path, sbx_policy_text(policy, policy->workspace)))
            step.flags |= SBX_STEP_STRICT;
        if (above.writable)
            step.flags |= SBX_STEP_MISSING;
    } else if (above.writable || !above.readable) {
        step.flags |= group->allows_read ? SBX_STEP_TELL : SBX_STEP_PRESENT;
        if (above.writable) /* bound where it is, so that nothing comes nearer by it */
            step.flags |= SBX_STEP_GUARD;
        if (group->is_match) /* the host's object would uncover what is masked below */
            step.kind = SBX_STEP_SELF;
    } else if (group->allows_read) {
        step.flags |= SBX_STEP_TELL | SBX_STEP_MISSING;
    } else {
        return 0;
    }
    if (above.writable && !here.writable && pin_parents(plan, policy, path, err))
        return -1;
    return add(plan, step, err);
}

/* The rules below `top` (NULL: all). They come sorted by path, so that a parent's
 * mount is made before its children's. */
static int add_rules(struct sbx_plan *plan, const struct sbx_policy *policy, const char *top,
                     struct sbx_err *err)
{
    uint32_t count;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0, next; i < count; i = next) {
        struct group group = {.path = sbx_policy_text(policy, rules[i].path)};
        bool is_skipped = is_ours(group.path) || (top && !is_below(group.path, top));
        for (next = i; next < count; next++) {
            if (strcmp(group.path, sbx_policy_text(policy, rules[next].path)) != 0)
                break;
            group.allows_read |= rules[next].kind == SBX_PATH_ALLOW_READ;
            group.allows_write |= rules[next].kind == SBX_PATH_ALLOW_WRITE;
            is_skipped |= (rules[next].flags & (SBX_PATH_GLOB | SBX_PATH_ZONE_D)) != 0;
        }
        if (!is_skipped && add_group(plan, policy, &group, err))
            return -1;
    }
    return 0;
}

static int add_own(struct sbx_plan *plan, const struct sbx_plan_input *input, struct sbx_err *err)
{
    const struct sbx_step steps[] = {
        {SBX_STEP_DIR,  0,                 "/run/sbx/session", NULL,                  0, 0755},
        {SBX_STEP_BIND, 0,                 "/run/sbx/session", input->session_source, 0, 0   },
        {SBX_STEP_DIR,  0,                 "/run/lock",        NULL,                  0, 0755},
        {SBX_STEP_BIND, 0,                 "/etc/passwd",      input->passwd_source,  0, 0   },
        {SBX_STEP_BIND, 0,                 "/etc/group",       input->group_source,   0, 0   },
        {SBX_STEP_MASK, SBX_STEP_OPTIONAL, "/etc/sbx",         NULL,                  0, 0   },
        {SBX_STEP_MASK, SBX_STEP_OPTIONAL, "/var/lib/sbx",     NULL,                  0, 0   },
        {SBX_STEP_MASK, SBX_STEP_OPTIONAL, "/var/log/sbx",     NULL,                  0, 0   },
    };
    if (ADD_TABLE(plan, steps, 0, err))
        return -1;
    for (size_t i = 0; input->extra && input->extra[i]; i++)
        if (add(plan,
                (struct sbx_step){SBX_STEP_BIND, SBX_STEP_MISSING, input->extra[i], input->extra[i],
                                  0, 0},
                err))
            return -1;
    return 0;
}

/* A policy may let the account connect to a socket by name: [network] allow_unix_socket. */
static bool is_allowed_socket(const struct sbx_policy *policy, const char *path)
{
    uint32_t count;
    const struct sbx_item *items =
        sbx_policy_list(policy, SBX_KEY_NETWORK_ALLOW_UNIX_SOCKET, &count);
    if (sbx_policy_flag(policy, SBX_KEY_NETWORK_ALLOW_ALL_UNIX))
        return true;
    for (uint32_t i = 0; i < count; i++) {
        const char *text = sbx_policy_text(policy, items[i].text);
        if (!strcmp(text, path) || sbx_path_glob(text, path))
            return true;
    }
    return false;
}

static int add_sockets(struct sbx_plan *plan, const struct sbx_plan_input *input,
                       struct sbx_err *err)
{
    for (size_t i = 0; input->sockets && input->sockets[i]; i++) {
        const char *path = input->sockets[i];
        struct sbx_step step = {SBX_STEP_MASK,
                                SBX_STEP_PRESENT | SBX_STEP_ACCOUNT | SBX_STEP_GUARD |
                                    SBX_STEP_SOCKET,
                                path,
                                NULL,
                                0,
                                0};
        bool is_tmp = is_below(path, "/tmp") || is_below(path, "/var/tmp");
        if (is_ours(path) || (is_tmp && sbx_policy_flag(input->policy, SBX_KEY_JAIL_PRIVATE_TMP)) ||
            is_allowed_socket(input->policy, path))
            continue;
        if (add(plan, step, err))
            return -1;
    }
    return 0;
}

/* In a whole view the directory that holds the homes is an own one with the account's alone in it:
 * so homes made later are out of sight too. */
static int hide_other_homes(struct sbx_plan *plan, const struct sbx_policy *policy,
                            struct sbx_err *err)
{
    const char *above = parent_of(plan, sbx_policy_text(policy, policy->home));
    uint32_t count;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0; above && i < count; i++) {
        const char *path = sbx_policy_text(policy, rules[i].path);
        size_t len = strlen(above);
        if (rules[i].flags & SBX_PATH_OTHERS && !strncmp(path, above, len) &&
            !strcmp(path + len, "/*"))
            return add(plan, (struct sbx_step){SBX_STEP_TMPFS, 0, above, NULL, 1024 * 1024, 0755},
                       err);
    }
    return 0;
}

/* What a rule closes as a whole stays open, since the jail needs it; and then what other rules close
 * below it must not count as closed already. */
static int check_tops(const struct sbx_policy *policy, struct sbx_err *err)
{
    static const char *const tops[] = {"/", "/tmp", "/var/tmp"};
    bool is_private = sbx_policy_flag(policy, SBX_KEY_JAIL_PRIVATE_TMP);
    for (size_t i = 0; i < (is_private ? 1 : 3); i++) {
        struct sbx_path_decision decision = sbx_path_decide(policy, tops[i], SBX_OP_READ);
        char origin[512] = "";
        if (decision.allowed)
            continue;
        sbx_policy_origin(policy, &decision.rule->origin, origin, sizeof(origin));
        return sbx_fail(err, SBX_E_POLICY, 0,
                        "%s: %s cannot be closed to readers as a whole; name places below it",
                        origin, tops[i]);
    }
    return 0;
}

static int fill(struct sbx_plan *plan, const struct sbx_plan_input *input, struct sbx_err *err)
{
    const struct sbx_policy *policy = input->policy;
    int64_t limit = sbx_policy_number(policy, SBX_KEY_LIMITS_TMP_SIZE);
    uint64_t tmp_bytes = limit > 0 ? (uint64_t)limit : TMP_BYTES;
    bool is_whole = sbx_policy_number(policy, SBX_KEY_FILESYSTEM_VIEW) == 1;
    const char *home = sbx_policy_text(policy, policy->home);
    const struct sbx_step home_step = {
        SBX_STEP_BIND, SBX_STEP_ACCOUNT | SBX_STEP_MUST | SBX_STEP_HOME, home, home, 0, 0};

    if (check_tops(policy, err))
        return -1;
    if (is_whole ? ADD_TABLE(plan, whole_base, tmp_bytes, err)
                 : ADD_TABLE(plan, system_base, tmp_bytes, err))
        return -1;
    if (is_whole && hide_other_homes(plan, policy, err))
        return -1;
    if (add_tmp(plan, policy, tmp_bytes, err) || ADD_TABLE(plan, dev_base, tmp_bytes, err) ||
        ADD_TABLE(plan, proc_base, tmp_bytes, err) || add(plan, home_step, err) ||
        add_rules(plan, policy, NULL, err) || add_sockets(plan, input, err) ||
        add_own(plan, input, err)) /* last: no rule uncovers what is ours */
        return -1;
    return add(plan, (struct sbx_step){SBX_STEP_FREEZE, 0, is_whole ? "/run" : "/", NULL, 0, 0},
               err);
}

int sbx_plan_begin(struct sbx_plan *plan, struct sbx_err *err)
{
    *plan = (struct sbx_plan){0};
    sbx_arena_init(&plan->arena, PLAN_BYTES);
    plan->steps = sbx_arena_alloc(&plan->arena, SBX_PLAN_MAX_STEPS * sizeof(*plan->steps));
    if (!plan->steps)
        return sbx_fail(err, SBX_E_MEMORY, 0, "cannot plan the view: out of memory");
    return 0;
}

/* Has the plan of the view masked it already, by a rule that names it? A second mask would bring up
 * again what allow_read opens below, and look like a path made anew. */
static bool is_named_closed(const struct sbx_policy *policy, const char *path)
{
    uint32_t count;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    bool is_named = false;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(sbx_policy_text(policy, rules[i].path), path) != 0)
            continue;
        if (rules[i].flags & SBX_PATH_GLOB) /* spelt alike: the plan left both out */
            return false;
        is_named |= rules[i].kind == SBX_PATH_DENY_READ;
    }
    return is_named && !state_of(policy, path).readable;
}

int sbx_plan_add_match(struct sbx_plan *plan, const struct sbx_policy *policy, const char *path,
                       struct sbx_err *err)
{
    const struct group group = {.path = sbx_arena_strndup(&plan->arena, path, strlen(path)),
                                .is_match = true};
    if (!group.path)
        return sbx_fail(err, SBX_E_MEMORY, 0, "cannot plan the view: too many paths");
    /* A stronger rule may leave it writable: to bind it once more would undo what is done below. */
    if (is_ours(path) || state_of(policy, path).writable || is_named_closed(policy, path))
        return 0;
    size_t before = plan->count;
    if (add_group(plan, policy, &group, err))
        return -1;
    return plan->count == before ? 0 : add_rules(plan, policy, group.path, err);
}

int sbx_plan_build(struct sbx_plan *plan, const struct sbx_plan_input *input, struct sbx_err *err)
{
    return sbx_plan_begin(plan, err) ? -1 : fill(plan, input, err);
}

void sbx_plan_free(struct sbx_plan *plan)
{
    sbx_arena_free(&plan->arena);
    *plan = (struct sbx_plan){0};
}

size_t sbx_plan_envelope(const struct sbx_policy *policy, const char **out, size_t max)
{
    static const char *const always[] = {"/tmp", "/var/tmp", "/dev", "/proc"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof(always) / sizeof(*always) && n < max; i++)
        out[n++] = always[i];
    if (n < max)
        out[n++] = sbx_policy_text(policy, policy->home);
    uint32_t count;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0; i < count && n < max; i++) {
        const char *path = sbx_policy_text(policy, rules[i].path);
        if (rules[i].kind == SBX_PATH_ALLOW_WRITE && !(rules[i].flags & SBX_PATH_GLOB) &&
            !is_ours(path) && !is_below(path, sbx_policy_text(policy, policy->home)))
            out[n++] = path;
    }
    return n;
}
