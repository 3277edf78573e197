#include "policy/policy.h"

#include <stdio.h>
#include <string.h>

static bool inside(const struct sbx_policy *policy, uint32_t off, uint32_t count, size_t each)
{
    return off % _Alignof(uint64_t) == 0 && off <= policy->size_bytes &&
           count <= (policy->size_bytes - off) / each;
}

static bool holds(const struct sbx_policy *policy, struct sbx_ref ref)
{
    return ref.off < policy->size_bytes && ref.len < policy->size_bytes - ref.off &&
           ((const char *)policy)[ref.off + ref.len] == '\0';
}

static bool tables_inside(const struct sbx_policy *policy)
{
    for (unsigned i = 0; i < SBX_KEY_COUNT; i++)
        if (!inside(policy, policy->setting[i].items_off, policy->setting[i].count,
                    sizeof(struct sbx_item)))
            return false;
    return inside(policy, policy->paths_off, policy->paths_count, sizeof(struct sbx_path_rule)) &&
           inside(policy, policy->rules_off, policy->rules_count, sizeof(struct sbx_rule)) &&
           inside(policy, policy->index_off, policy->index_count, sizeof(uint32_t)) &&
           holds(policy, policy->account) && holds(policy, policy->home) &&
           holds(policy, policy->workspace);
}

const struct sbx_policy *sbx_policy_attach(const void *bytes, size_t size, struct sbx_err *err)
{
    const struct sbx_policy *policy = bytes;
    if (!bytes || (uintptr_t)bytes % _Alignof(struct sbx_policy) || size < sizeof(*policy) ||
        size > SBX_POLICY_MAX_BYTES)
        sbx_fail(err, SBX_E_POLICY, 0, "the compiled policy has an impossible size: %zu", size);
    else if (policy->magic != SBX_POLICY_MAGIC || policy->version != SBX_POLICY_VERSION)
        sbx_fail(err, SBX_E_POLICY, 0, "the compiled policy is of another kind or version");
    else if (policy->size_bytes != size || ((const char *)bytes)[size - 1] != '\0' ||
             !tables_inside(policy))
        sbx_fail(err, SBX_E_POLICY, 0, "the compiled policy is cut short or damaged");
    else
        return policy;
    return NULL;
}

int64_t sbx_policy_number(const struct sbx_policy *policy, enum sbx_key key)
{
    return key < SBX_KEY_COUNT ? policy->setting[key].number : SBX_UNSET;
}

const struct sbx_item *sbx_policy_list(const struct sbx_policy *policy, enum sbx_key key,
                                       uint32_t *count)
{
    *count = key < SBX_KEY_COUNT ? policy->setting[key].count : 0;
    if (!*count)
        return NULL;
    return (const struct sbx_item *)(const void *)((const char *)policy +
                                                   policy->setting[key].items_off);
}

const char *sbx_policy_string(const struct sbx_policy *policy, enum sbx_key key)
{
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    return items ? sbx_policy_text(policy, items[0].text) : "";
}

void sbx_policy_origin(const struct sbx_policy *policy, const struct sbx_origin *origin, char *out,
                       size_t size)
{
    if (!origin->file.len)
        (void)snprintf(out, size, "built-in");
    else if (!origin->line)
        (void)snprintf(out, size, "%s", sbx_policy_text(policy, origin->file));
    else
        (void)snprintf(out, size, "%s:%u", sbx_policy_text(policy, origin->file), origin->line);
}

const struct sbx_path_rule *sbx_policy_paths(const struct sbx_policy *policy, uint32_t *count)
{
    *count = policy->paths_count;
    return (const struct sbx_path_rule *)(const void *)((const char *)policy + policy->paths_off);
}

const struct sbx_rule *sbx_policy_rules(const struct sbx_policy *policy, uint32_t *count)
{
    *count = policy->rules_count;
    return (const struct sbx_rule *)(const void *)((const char *)policy + policy->rules_off);
}
