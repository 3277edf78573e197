/* sbxctl policy fingerprint and diff: is it the same policy, and where is it not. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "sbxctl/json.h"
#include "sbxctl/policy_words.h"
#include "sbxctl/sbxctl.h"

int sbx_policy_fingerprint(const struct sbx_policy_request *request)
{
    _cleanup_free_ struct sbx_policy *policy = NULL;
    int status = sbx_policy_load(request, request->policy, NULL, &policy);
    if (status)
        return status;
    unsigned long long fingerprint = policy->fingerprint;
    const char *account = sbx_policy_text(policy, policy->account);
    if (request->is_json) /* a name of an account has nothing to escape */
        (void)printf("{\"account\":\"%s\",\"fingerprint\":\"%016llx\"}\n", account, fingerprint);
    else
        (void)printf("%016llx\n", fingerprint);
    return SBX_EXIT_OK;
}

/* --- diff ------------------------------------------------------------------------------------- */
struct side {
    const struct sbx_policy *policy;
    const struct sbx_item *items;
    uint32_t count;
};

struct changes {
    unsigned count;
    struct json_object *array; /* or NULL: printed as they come */
};

static void tell(struct changes *changes, const struct sbx_key_row *row, const struct side *side,
                 const struct sbx_item *item, bool is_added)
{
    const char *value = sbx_policy_text(side->policy, item->text);
    changes->count++;
    if (changes->array) {
        struct json_object *object = sbx_policy_place(side->policy, &item->origin);
        json_object_object_add(object, "change",
                               json_object_new_string(is_added ? "added" : "removed"));
        json_object_object_add(object, "section", json_object_new_string(row->section));
        json_object_object_add(object, "key", json_object_new_string(row->key));
        json_object_object_add(object, "value", sbx_json_text(value));
        json_object_array_add(changes->array, object);
        return;
    }
    (void)printf("%c %s.%s = ", is_added ? '+' : '-', row->section, row->key);
    sbx_print_text(stdout, value, strlen(value));
    (void)fputs("    ", stdout);
    sbx_policy_print_place(side->policy, &item->origin);
    (void)putchar('\n');
}

static int by_text(const void *a, const void *b, void *policy)
{
    const struct sbx_item *const *first = a, *const *second = b;
    return strcmp(sbx_policy_text(policy, (*first)->text),
                  sbx_policy_text(policy, (*second)->text));
}

/* Entries in order of their text; where they stand says nothing, but for the first workspace. */
static const struct sbx_item **sorted(const struct side *side)
{
    const struct sbx_item **items = calloc((size_t)side->count + 1, sizeof(*items));
    for (uint32_t i = 0; items && i < side->count; i++)
        items[i] = &side->items[i];
    if (items)
        qsort_r(items, side->count, sizeof(*items), by_text, (void *)(uintptr_t)side->policy);
    return items;
}

static int compare_key(enum sbx_key key, const struct sbx_policy *before,
                       const struct sbx_policy *after, struct changes *changes)
{
    struct side first = {.policy = before}, second = {.policy = after};
    first.items = sbx_policy_list(before, key, &first.count);
    second.items = sbx_policy_list(after, key, &second.count);
    _cleanup_free_ const struct sbx_item **a = sorted(&first), **b = sorted(&second);
    if (!a || !b)
        return sbx_usage("out of memory");
    for (uint32_t i = 0, k = 0; i < first.count || k < second.count;) {
        int order = i == first.count    ? 1
                    : k == second.count ? -1
                                        : strcmp(sbx_policy_text(before, a[i]->text),
                                                 sbx_policy_text(after, b[k]->text));
        if (order < 0)
            tell(changes, &sbx_key_table[key], &first, a[i], false);
        if (order > 0)
            tell(changes, &sbx_key_table[key], &second, b[k], true);
        i += order <= 0;
        k += order >= 0;
    }
    if (key == SBX_KEY_FILESYSTEM_WORKSPACE && first.count && second.count &&
        strcmp(sbx_policy_text(before, first.items[0].text),
               sbx_policy_text(after, second.items[0].text)) != 0 &&
        first.count == second.count)
        tell(changes, &sbx_key_table[key], &second, &second.items[0],
             true); /* sessions start there */
    return 0;
}

int sbx_policy_diff(const struct sbx_policy_request *request, const char *before, const char *after)
{
    _cleanup_free_ struct sbx_policy *old = NULL, *new = NULL;
    struct changes changes = {.array = request->is_json ? json_object_new_array() : NULL};
    int status = sbx_policy_load(request, before, NULL, &old);
    if (!status)
        status = sbx_policy_load(request, after, NULL, &new);
    for (unsigned key = 0; !status && key < SBX_KEY_COUNT; key++)
        status = compare_key((enum sbx_key)key, old, new, &changes);
    if (!status && changes.array)
        (void)puts(json_object_to_json_string_ext(changes.array, JSON_C_TO_STRING_PLAIN));
    json_object_put(changes.array);
    return status ? status : changes.count ? 1 : SBX_EXIT_OK;
}
