#include "policy/exempt.h"

#include <stdio.h>
#include <string.h>

enum { MODE_DISABLED = 2 }; /* of sandbox.mode */

const char *sbx_platform_name(enum sbx_platform platform)
{
    static const char *const names[] = {"linux", "wsl2", "container", "wsl1"};
    return platform <= SBX_PLATFORM_WSL1 ? names[platform] : "unknown";
}

static void set(const struct sbx_policy *policy, const struct sbx_item *item,
                struct sbx_exempt *out, const char *rule, const char *why)
{
    (void)snprintf(out->rule, sizeof(out->rule), "%s", rule);
    (void)snprintf(out->why, sizeof(out->why), "%s", why);
    sbx_policy_origin(policy, &item->origin, out->origin, sizeof(out->origin));
}

/* The one value of a scalar where a managed file wrote it, and it is this number. */
static const struct sbx_item *managed(const struct sbx_policy *policy, enum sbx_key key,
                                      int64_t number)
{
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    return count && items[0].origin.scope == SBX_SCOPE_MANAGED &&
                   sbx_policy_number(policy, key) == number
               ? items
               : NULL;
}

/* The first entry of a managed list that leaves the platform out. */
static const struct sbx_item *left_out(const struct sbx_policy *policy, enum sbx_platform platform)
{
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(policy, SBX_KEY_SANDBOX_PLATFORM, &count);
    const struct sbx_item *first = NULL;
    if (platform > SBX_PLATFORM_CONTAINER)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(sbx_policy_text(policy, items[i].text), sbx_platform_name(platform)))
            return NULL;
        if (!first && items[i].origin.scope == SBX_SCOPE_MANAGED)
            first = &items[i];
    }
    return first;
}

bool sbx_exempt_find(const struct sbx_policy *policy, const struct sbx_machine *machine,
                     struct sbx_exempt *out)
{
    char text[sizeof(out->why)];
    const struct sbx_item *item = managed(policy, SBX_KEY_SANDBOX_MODE, MODE_DISABLED);
    if (item) {
        set(policy, item, out, "sandbox.mode = disabled", "the sandbox is switched off for it");
        return true;
    }
    item = left_out(policy, machine->platform);
    if (item) {
        (void)snprintf(text, sizeof(text), "the platform of this machine is %s",
                       sbx_platform_name(machine->platform));
        set(policy, item, out, "sandbox.platform leaves it out", text);
        return true;
    }
    item = machine->lacks ? managed(policy, SBX_KEY_SANDBOX_FAIL_IF_UNAVAILABLE, 0) : NULL;
    if (item) {
        (void)snprintf(text, sizeof(text), "%s", machine->lacks);
        set(policy, item, out, "sandbox.fail_if_unavailable = no", text);
    }
    return item != NULL;
}
