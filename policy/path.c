#include "policy/path.h"

#include <string.h>

#include "policy/glob.h"

#define LEVELS (SBX_SCOPE_MANAGED + 1)

/* What matched on one side (reading, or writing). Rules of a compiled-in kind and defaults count as
 * managed: longest match decides between them and the administrator's. */
struct side {
    const struct sbx_path_rule *allow[LEVELS], *deny[LEVELS];
    const struct sbx_path_rule *exact;  /* longest managed allow without a glob */
    const struct sbx_path_rule *zone_s; /* longest deny of zone S */
    const struct sbx_path_rule *zone_p; /* any deny of zone P */
};

static unsigned level_of(const struct sbx_path_rule *rule)
{
    uint32_t scope = rule->origin.scope;
    return scope == SBX_SCOPE_DEFAULT || scope >= LEVELS ? SBX_SCOPE_MANAGED : scope;
}

static void keep_longer(const struct sbx_path_rule **slot, const struct sbx_path_rule *rule)
{
    if (!*slot || rule->literals > (*slot)->literals)
        *slot = rule;
}

static void note(struct side *side, const struct sbx_path_rule *rule, bool is_deny)
{
    unsigned level = level_of(rule);
    if (!is_deny) {
        keep_longer(&side->allow[level], rule);
        if (level == SBX_SCOPE_MANAGED && !(rule->flags & SBX_PATH_GLOB))
            keep_longer(&side->exact, rule);
    } else if (rule->flags & SBX_PATH_ZONE_S) {
        keep_longer(&side->zone_s, rule);
    } else if (rule->flags & SBX_PATH_ZONE_P) {
        keep_longer(&side->zone_p, rule);
    } else {
        keep_longer(&side->deny[level], rule);
    }
}

/* The rules, MUST by MUST:
 *   zone P is never opened; zone S only by a managed allow of an exact path inside it;
 *   an allow of a lower scope never opens a deny of a higher one;
 *   of what is left the longest match decides, and a tie denies. */
static struct sbx_path_decision settle(const struct side *side, bool otherwise)
{
    if (side->zone_p)
        return (struct sbx_path_decision){.rule = side->zone_p};
    if (side->zone_s && (!side->exact || side->exact->literals <= side->zone_s->literals))
        return (struct sbx_path_decision){.rule = side->zone_s};
    const struct sbx_path_rule *allow = NULL, *deny = NULL;
    unsigned highest = 0;
    for (unsigned level = 0; level < LEVELS; level++) {
        if (!side->deny[level])
            continue;
        highest = level;
        keep_longer(&deny, side->deny[level]);
    }
    for (unsigned level = highest; level < LEVELS; level++)
        if (side->allow[level])
            keep_longer(&allow, side->allow[level]);
    if (deny && (!allow || allow->literals <= deny->literals))
        return (struct sbx_path_decision){.rule = deny};
    return (struct sbx_path_decision){.allowed = allow || otherwise, .rule = allow};
}

/* Is `path` the directory `top` (len bytes), or below it? */
static bool within(const char *path, const char *top, size_t len)
{
    return len == 1 || (!strncmp(path, top, len) && (path[len] == '/' || !path[len]));
}

static bool is_home_or_above(const struct sbx_policy *policy, const char *path)
{
    const char *home = sbx_policy_text(policy, policy->home);
    return within(path, home, policy->home.len) || within(home, path, strlen(path));
}

static int compare_anchor(const struct sbx_policy *policy, const struct sbx_path_rule *rule,
                          const char *name, size_t len)
{
    size_t both = rule->anchor.len < len ? rule->anchor.len : len;
    int order = memcmp(sbx_policy_text(policy, rule->anchor), name, both);
    if (order)
        return order;
    return rule->anchor.len < len ? -1 : rule->anchor.len > len;
}

/* The first rule from `low` on whose anchor does not sort before `name`. */
static uint32_t lower_bound(const struct sbx_policy *policy, uint32_t low, const char *name,
                            size_t len)
{
    uint32_t high = 0;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &high);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_anchor(policy, &rules[middle], name, len) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct sides {
    struct side read, write;
};

/* Notes the rules anchored at the first `len` bytes of path. They stand at `from` or after, since a
 * directory sorts before what it holds; returns where the next search may start. */
static uint32_t collect_at(const struct sbx_policy *policy, uint32_t from, const char *path,
                           size_t len, struct sides *sides)
{
    uint32_t count = 0, i = lower_bound(policy, from, path, len);
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    for (; i < count; i++) {
        const struct sbx_path_rule *rule = &rules[i];
        if (compare_anchor(policy, rule, path, len))
            break;
        if ((rule->flags & SBX_PATH_OTHERS) && is_home_or_above(policy, path))
            continue;
        if ((rule->flags & SBX_PATH_GLOB) &&
            !sbx_path_glob(sbx_policy_text(policy, rule->path), path))
            continue;
        bool is_deny = rule->kind == SBX_PATH_DENY_READ || rule->kind == SBX_PATH_DENY_WRITE;
        bool is_read = rule->kind == SBX_PATH_ALLOW_READ || rule->kind == SBX_PATH_DENY_READ;
        note(is_read ? &sides->read : &sides->write, rule, is_deny);
    }
    return i;
}

struct sbx_path_decision sbx_path_decide(const struct sbx_policy *policy, const char *path,
                                         enum sbx_path_op op)
{
    if (path[0] != '/')
        return (struct sbx_path_decision){.allowed = false};
    struct sides sides = {0};
    uint32_t from = collect_at(policy, 0, path, 1, &sides);
    for (size_t i = 1; path[1] && path[i - 1]; i++)
        if (path[i] == '/' || !path[i])
            from = collect_at(policy, from, path, i, &sides);
    struct sbx_path_decision decision = settle(&sides.read, true);
    bool is_write = op == SBX_OP_WRITE || op == SBX_OP_DELETE;
    if (decision.allowed && is_write)
        decision = settle(&sides.write, false);
    decision.grantable = !decision.allowed && !decision.rule &&
                         within(path, sbx_policy_text(policy, policy->home), policy->home.len);
    return decision;
}

/* Adds one component, or takes the last one away for "..". */
static int add_component(char *out, size_t size, size_t *used, const char *begin, size_t len)
{
    if (!len || (len == 1 && begin[0] == '.'))
        return 0;
    if (len == 2 && begin[0] == '.' && begin[1] == '.') {
        while (*used && out[*used - 1] != '/')
            (*used)--;
        *used -= *used ? 1 : 0;
        return 0;
    }
    if (len + 2 > size || *used > size - len - 2)
        return -1;
    out[(*used)++] = '/';
    memcpy(out + *used, begin, len);
    *used += len;
    return 0;
}

static int add_components(char *out, size_t size, size_t *used, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "/");
        if (add_component(out, size, used, text, len))
            return -1;
        text += len;
        text += *text == '/';
    }
    return 0;
}

int sbx_path_normalise(const char *cwd, const char *path, char *out, size_t size)
{
    size_t used = 0;
    if (size < 2 || !path || !*path)
        return -1;
    if (path[0] != '/' && (!cwd || cwd[0] != '/' || add_components(out, size, &used, cwd)))
        return -1;
    if (add_components(out, size, &used, path))
        return -1;
    if (!used)
        out[used++] = '/';
    out[used] = '\0';
    return 0;
}
