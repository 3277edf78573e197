/* From settings to the compiled policy: permission rules. */
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/compile_internal.h"
#include "policy/value.h"

static int no_memory(const struct sbx_compiler *compiler)
{
    return sbx_fail(compiler->err, SBX_E_MEMORY, 0, "cannot compile the rules: out of memory");
}

/* WebFetch(domain:x) counts for the network as well. */
static void add_domain(struct sbx_compiler *compiler, const struct sbx_entry *entry,
                       const char *domain)
{
    if (entry->key == SBX_KEY_PERMISSIONS_ASK || !*domain)
        return;
    struct sbx_entry *added = &compiler->domains[compiler->domains_count++];
    *added = *entry;
    added->key = entry->key == SBX_KEY_PERMISSIONS_DENY ? SBX_KEY_NETWORK_DENY_DOMAIN
                                                        : SBX_KEY_NETWORK_ALLOW_DOMAIN;
    added->value = domain;
}

/* Read and Edit rules keep the absolute path that the root of their file makes of them. */
static int resolve(struct sbx_compiler *compiler, const struct sbx_entry *entry,
                   struct sbx_rule_parts *parts)
{
    const struct sbx_path_base base = sbx_compile_base(compiler, entry);
    struct sbx_value_path path;
    if (parts->form == SBX_FORM_ANY ||
        (parts->tool != SBX_TOOL_READ && parts->tool != SBX_TOOL_EDIT))
        return 0;
    if (sbx_value_path(parts->content, &base, SBX_PATH_IN_RULE, &path, compiler->err))
        return -1;
    memcpy(parts->content, path.text, strlen(path.text) + 1);
    return 0;
}

static int add_rule(struct sbx_compiler *compiler, const struct sbx_entry *entry,
                    enum sbx_rule_action action)
{
    struct sbx_rule_parts parts;
    if (sbx_rule_parse(entry->value, &parts, compiler->err) || resolve(compiler, entry, &parts))
        return sbx_compile_blame(compiler, entry);
    const char *content = sbx_arena_strndup(&compiler->arena, parts.content, strlen(parts.content));
    if (!content)
        return no_memory(compiler);
    compiler->rules[compiler->rules_count++] = (struct sbx_draft_rule){
        .entry = entry,
        .content = content,
        .action = (uint8_t)action,
        .tool = (uint8_t)parts.tool,
        .form = (uint8_t)parts.form,
    };
    if (parts.tool == SBX_TOOL_WEBFETCH)
        add_domain(compiler, entry, content);
    return 0;
}

int sbx_compile_rules(struct sbx_compiler *compiler)
{
    static const struct {
        enum sbx_key key;
        enum sbx_rule_action action;
    } lists[] = {
        {SBX_KEY_PERMISSIONS_ALLOW, SBX_RULE_ALLOW},
        {SBX_KEY_PERMISSIONS_ASK,   SBX_RULE_ASK  },
        {SBX_KEY_PERMISSIONS_DENY,  SBX_RULE_DENY }
    };
    size_t count =
        compiler->first[SBX_KEY_PERMISSIONS_DENY + 1] - compiler->first[SBX_KEY_PERMISSIONS_ALLOW];
    compiler->rules = reallocarray(NULL, count + 1, sizeof(*compiler->rules));
    compiler->domains = reallocarray(NULL, count + 1, sizeof(*compiler->domains));
    if (!compiler->rules || !compiler->domains)
        return no_memory(compiler);
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        for (size_t at = compiler->first[lists[i].key]; at < compiler->first[lists[i].key + 1];
             at++)
            if (add_rule(compiler, compiler->entries[at], lists[i].action))
                return -1;
    return 0;
}
_Static_assert(SBX_KEY_PERMISSIONS_ASK == SBX_KEY_PERMISSIONS_ALLOW + 1 &&
                   SBX_KEY_PERMISSIONS_DENY == SBX_KEY_PERMISSIONS_ALLOW + 2,
               "the three lists of rules stand together");

/* By the literal start, byte by byte; a start that ends comes first. */
static int compare_heads(const void *a, const void *b, void *data)
{
    const struct sbx_draft_rule *rules = data;
    const unsigned char *left = (const unsigned char *)rules[*(const uint32_t *)a].content;
    const unsigned char *right = (const unsigned char *)rules[*(const uint32_t *)b].content;
    for (;; left++, right++) {
        int x = *left && *left != SBX_WORD_STAR ? *left : -1;
        int y = *right && *right != SBX_WORD_STAR ? *right : -1;
        if (x != y)
            return x < y ? -1 : 1;
        if (x < 0)
            return 0;
    }
}

static int put_index(struct sbx_compiler *compiler, struct sbx_policy *head)
{
    uint32_t count = 0;
    _cleanup_free_ uint32_t *index = reallocarray(NULL, compiler->rules_count + 1, sizeof(*index));
    if (!index)
        return no_memory(compiler);
    for (uint32_t i = 0; i < compiler->rules_count; i++)
        if (compiler->rules[i].tool == SBX_TOOL_BASH)
            index[count++] = i;
    qsort_r(index, count, sizeof(*index), compare_heads, compiler->rules);
    head->index_off = sbx_blob_table(&compiler->blob, count, sizeof(*index));
    head->index_count = count;
    if (!compiler->blob.failed && count)
        memcpy(sbx_blob_at(&compiler->blob, head->index_off), index, count * sizeof(*index));
    return 0;
}

int sbx_compile_put_rules(struct sbx_compiler *compiler, struct sbx_policy *head)
{
    struct sbx_blob *blob = &compiler->blob;
    head->rules_count = (uint32_t)compiler->rules_count;
    head->rules_off = sbx_blob_table(blob, compiler->rules_count, sizeof(struct sbx_rule));
    for (size_t i = 0; i < compiler->rules_count && !blob->failed; i++) {
        const struct sbx_draft_rule *draft = &compiler->rules[i];
        struct sbx_rule rule = {.text = sbx_blob_text(blob, draft->entry->value),
                                .content = sbx_blob_text(blob, draft->content),
                                .action = draft->action,
                                .tool = draft->tool,
                                .form = draft->form,
                                .origin = sbx_compile_origin(compiler, draft->entry)};
        if (!blob->failed)
            ((struct sbx_rule *)sbx_blob_at(blob, head->rules_off))[i] = rule;
    }
    return put_index(compiler, head);
}
