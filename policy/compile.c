/* From settings to the compiled policy: merging. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/compile_internal.h"
#include "policy/path.h"
#include "policy/value.h"

static int no_memory(struct sbx_err *err)
{
    return sbx_fail(err, SBX_E_MEMORY, 0, "cannot compile the policy: out of memory");
}

/* --- order ------------------------------------------------------------------------------------ */
static int compare_entries(const void *a, const void *b)
{
    const struct sbx_entry *left = *(const struct sbx_entry *const *)a;
    const struct sbx_entry *right = *(const struct sbx_entry *const *)b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    if (left->scope != right->scope)
        return left->scope < right->scope ? -1 : 1;
    return left < right ? -1 : left > right; /* as read */
}

static int sort_entries(struct sbx_compiler *compiler)
{
    size_t count = compiler->config->count;
    compiler->entries = reallocarray(NULL, count + 1, sizeof(*compiler->entries));
    if (!compiler->entries)
        return no_memory(compiler->err);
    count = 0;
    for (size_t i = 0; i < compiler->config->count; i++)
        if (!compiler->config->entries[i].ignored)
            compiler->entries[count++] = &compiler->config->entries[i];
    qsort(compiler->entries, count, sizeof(*compiler->entries), compare_entries);
    for (size_t key = 0, at = 0; key <= SBX_KEY_COUNT; key++) {
        while (at < count && (size_t)compiler->entries[at]->key < key)
            at++;
        compiler->first[key] = at;
    }
    return 0;
}

/* --- items ------------------------------------------------------------------------------------ */
struct sbx_origin sbx_compile_origin(struct sbx_compiler *compiler, const struct sbx_entry *entry)
{
    if (!entry)
        return (struct sbx_origin){.scope = SBX_SCOPE_DEFAULT};
    return (struct sbx_origin){
        .file = sbx_blob_file(&compiler->blob, entry->file),
        .line = entry->line,
        .scope = (uint16_t)entry->scope,
        .column = entry->value_column <= UINT16_MAX ? (uint16_t)entry->value_column : 0};
}

struct sbx_path_base sbx_compile_base(const struct sbx_compiler *compiler,
                                      const struct sbx_entry *entry)
{
    return (struct sbx_path_base){.home = compiler->home,
                                  .root = entry && entry->base ? entry->base : compiler->home};
}

/* *err says why already. */
static struct sbx_ref put_failed(struct sbx_compiler *compiler)
{
    compiler->is_told = true;
    compiler->blob.failed = true;
    return (struct sbx_ref){0};
}

/* A value as the item keeps it: paths absolute, whatever they are relative to in the file. */
static struct sbx_ref put_text(struct sbx_compiler *compiler, enum sbx_key key, const char *text,
                               const struct sbx_entry *entry)
{
    enum sbx_key_type type = sbx_key_table[key].type;
    if (type != SBX_T_FILE && type != SBX_T_DIRS && type != SBX_T_PATHS)
        return sbx_blob_text(&compiler->blob, text);
    struct sbx_value_path path;
    const struct sbx_path_base base = sbx_compile_base(compiler, entry);
    if (sbx_value_path(text, &base, SBX_PATH_IN_KEY, &path, compiler->err))
        return put_failed(compiler);
    return sbx_blob_text(&compiler->blob, path.text);
}

/* Settings of [command NAME] begin with the NAME. */
static struct sbx_ref put_value(struct sbx_compiler *compiler, const struct sbx_entry *entry)
{
    if (!entry->command)
        return put_text(compiler, entry->key, entry->value, entry);
    size_t size = strlen(entry->command) + strlen(entry->value) + 2;
    char *text = sbx_arena_alloc(&compiler->arena, size);
    if (!text) {
        (void)no_memory(compiler->err);
        return put_failed(compiler);
    }
    (void)snprintf(text, size, "%s %s", entry->command, entry->value);
    return sbx_blob_text(&compiler->blob, text);
}

static size_t fallback_count(const char *words)
{
    size_t count = words ? 1 : 0;
    for (const char *c = words; c && *c; c++)
        count += *c == '|';
    return count;
}

/* The n-th word of a default. Scalars have one, whatever it holds. */
static struct sbx_ref put_fallback(struct sbx_compiler *compiler, enum sbx_key key, size_t n)
{
    const char *words = sbx_key_table[key].fallback;
    char word[256];
    while (n--)
        words = strchr(words, '|') + 1;
    (void)snprintf(word, sizeof(word), "%.*s", (int)strcspn(words, "|"), words);
    return put_text(compiler, key, word, NULL);
}

static void put_item(struct sbx_compiler *compiler, uint32_t table, size_t at, struct sbx_ref text,
                     const struct sbx_entry *entry)
{
    struct sbx_item item = {.text = text, .origin = sbx_compile_origin(compiler, entry)};
    if (!compiler->blob.failed)
        ((struct sbx_item *)sbx_blob_at(&compiler->blob, table))[at] = item;
}

static void put_scalar(struct sbx_compiler *compiler, enum sbx_key key, struct sbx_setting *setting)
{
    const struct sbx_key_row *row = &sbx_key_table[key];
    size_t end = compiler->first[key + 1];
    const struct sbx_entry *entry = end > compiler->first[key] ? compiler->entries[end - 1] : NULL;
    const char *text = entry ? entry->value : row->fallback;
    if (!entry && key == SBX_KEY_SANDBOX_ENABLED && compiler->config->is_path)
        text = "yes";
    *setting = (struct sbx_setting){.number = SBX_UNSET};
    struct sbx_err ignored =
        SBX_ERR_INIT; /* both were checked: files when read, defaults by a test */
    int64_t number = 0;
    if (!text || sbx_value_check(key, text, &number, &ignored))
        return;
    setting->items_off = sbx_blob_table(&compiler->blob, 1, sizeof(struct sbx_item));
    setting->count = 1;
    setting->number = number;
    put_item(compiler, setting->items_off, 0, put_text(compiler, key, text, entry), entry);
}

static void put_list(struct sbx_compiler *compiler, enum sbx_key key, struct sbx_setting *setting)
{
    const struct sbx_key_row *row = &sbx_key_table[key];
    bool is_replaced = key == SBX_KEY_FILESYSTEM_WORKSPACE && compiler->subject->workspace;
    size_t from = compiler->first[key], to = is_replaced ? from : compiler->first[key + 1],
           added = 0, at = 0;
    for (size_t i = 0; i < compiler->domains_count; i++)
        added += compiler->domains[i].key == key;
    added += is_replaced;
    bool has_own = to > from || added;
    size_t built_in = has_own && !(row->flags & SBX_K_ALWAYS) ? 0 : fallback_count(row->fallback);
    size_t count = to - from + added + built_in;
    uint32_t table = sbx_blob_table(&compiler->blob, count, sizeof(struct sbx_item));
    *setting = (struct sbx_setting){.items_off = table, .count = (uint32_t)count};
    for (size_t i = 0; i < built_in; i++)
        put_item(compiler, table, at++, put_fallback(compiler, key, i), NULL);
    if (is_replaced)
        put_item(compiler, table, at++, sbx_blob_text(&compiler->blob, compiler->workspace.value),
                 &compiler->workspace);
    for (size_t i = from; i < to; i++)
        put_item(compiler, table, at++, put_value(compiler, compiler->entries[i]),
                 compiler->entries[i]);
    for (size_t i = 0; i < compiler->domains_count; i++)
        if (compiler->domains[i].key == key)
            put_item(compiler, table, at++, put_value(compiler, &compiler->domains[i]),
                     &compiler->domains[i]);
}

/* [command NAME] scalars stand once for each NAME: they are kept as lists. */
static void put_settings(struct sbx_compiler *compiler, struct sbx_policy *head)
{
    for (unsigned key = 0; key < SBX_KEY_COUNT; key++) {
        const struct sbx_key_row *row = &sbx_key_table[key];
        bool is_command = !strcmp(row->section, "command");
        if (SBX_KEY_IS_LIST(row->type))
            put_list(compiler, (enum sbx_key)key, &head->setting[key]);
        else if (!is_command)
            put_scalar(compiler, (enum sbx_key)key, &head->setting[key]);
        else if (compiler->first[key + 1] > compiler->first[key])
            put_list(compiler, (enum sbx_key)key, &head->setting[key]);
        else
            head->setting[key] = (struct sbx_setting){.number = SBX_UNSET};
    }
}

/* --- fingerprint: the effective values, not where they are written ---------------------------- */
static uint64_t mix(uint64_t hash, const void *data, size_t len)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t mix_text(uint64_t hash, const struct sbx_policy *policy, struct sbx_ref ref)
{
    return mix(hash, sbx_policy_text(policy, ref), (size_t)ref.len + 1);
}

static uint64_t fingerprint(const struct sbx_policy *policy)
{
    uint64_t hash = 0xcbf29ce484222325u;
    uint32_t count = 0;
    hash = mix_text(hash, policy, policy->account);
    hash = mix_text(hash, policy, policy->home);
    hash = mix_text(hash, policy, policy->workspace);
    for (unsigned key = 0; key < SBX_KEY_COUNT; key++) {
        const struct sbx_item *items = sbx_policy_list(policy, (enum sbx_key)key, &count);
        hash = mix(hash, &count, sizeof(count));
        for (uint32_t i = 0; i < count; i++)
            hash = mix_text(hash, policy, items[i].text);
    }
    const struct sbx_path_rule *paths = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0; i < count; i++) {
        hash = mix(mix_text(hash, policy, paths[i].path), &paths[i].kind, sizeof(paths[i].kind));
        hash = mix(hash, &paths[i].flags, sizeof(paths[i].flags));
    }
    const struct sbx_rule *rules = sbx_policy_rules(policy, &count);
    for (uint32_t i = 0; i < count; i++)
        hash = mix(mix_text(hash, policy, rules[i].text), &rules[i].action, 1);
    return hash;
}

/* --- the whole -------------------------------------------------------------------------------- */
static int check_subject(struct sbx_compiler *compiler)
{
    const struct sbx_subject *subject = compiler->subject;
    char home[SBX_VALUE_PATH_BYTES];
    if (!subject->account || !subject->home || subject->home[0] != '/' ||
        sbx_value_foul(subject->home, strlen(subject->home)) ||
        sbx_value_foul(subject->account, strlen(subject->account)) ||
        sbx_path_normalise("/", subject->home, home, sizeof(home)))
        return sbx_fail(compiler->err, SBX_E_POLICY, 0,
                        "the account or its home cannot be used: '%.64s', '%.200s'",
                        subject->account ? subject->account : "",
                        subject->home ? subject->home : "");
    compiler->home = sbx_arena_strndup(&compiler->arena, home, strlen(home));
    return compiler->home ? 0 : no_memory(compiler->err);
}

static int put_all(struct sbx_compiler *compiler, struct sbx_policy *head)
{
    struct sbx_blob *blob = &compiler->blob;
    head->account = sbx_blob_text(blob, compiler->subject->account);
    head->home = sbx_blob_text(blob, compiler->home);
    head->workspace = sbx_blob_text(blob, compiler->workspace.value);
    put_settings(compiler, head);
    if (sbx_compile_put_paths(compiler, head) || sbx_compile_put_rules(compiler, head))
        return -1;
    (void)sbx_blob_text(blob, ""); /* the block ends with a NUL */
    return 0;
}

static int compile(struct sbx_compiler *compiler, struct sbx_config *config,
                   struct sbx_policy **out)
{
    if (check_subject(compiler) ||
        sbx_scopes_settle(config, compiler->home, compiler->subject->workspace, compiler->err) ||
        sort_entries(compiler) || sbx_compile_workspaces(compiler) || sbx_compile_rules(compiler) ||
        sbx_compile_paths(compiler))
        return -1;
    struct sbx_policy head = {.magic = SBX_POLICY_MAGIC,
                              .version = SBX_POLICY_VERSION,
                              .uid = compiler->subject->uid,
                              .gid = compiler->subject->gid};
    (void)sbx_blob_table(&compiler->blob, 1, sizeof(head)); /* at offset 0 */
    if (put_all(compiler, &head))
        return -1;
    if (compiler->is_told)
        return -1;
    if (compiler->blob.failed)
        return sbx_fail(compiler->err, SBX_E_LIMIT, 0,
                        "the policy is larger than %zu bytes when compiled", SBX_POLICY_MAX_BYTES);
    head.size_bytes = compiler->blob.used;
    struct sbx_policy *policy = sbx_blob_at(&compiler->blob, 0);
    *policy = head;
    policy->fingerprint = fingerprint(policy);
    *out = (void *)sbx_steal_ptr(&compiler->blob.bytes);
    return 0;
}

int sbx_compile_blame(struct sbx_compiler *compiler, const struct sbx_entry *entry)
{
    if (!entry)
        return -1;
    compiler->culprit = (struct sbx_place){entry->file, entry->line, entry->value_column};
    return sbx_entry_blame(entry, compiler->err);
}

int sbx_policy_compile(struct sbx_config *config, const struct sbx_subject *subject,
                       struct sbx_policy **out, struct sbx_err *err)
{
    struct sbx_place culprit;
    return sbx_policy_compile_or(config, subject, out, &culprit, err);
}

int sbx_policy_compile_or(struct sbx_config *config, const struct sbx_subject *subject,
                          struct sbx_policy **out, struct sbx_place *culprit, struct sbx_err *err)
{
    *culprit = (struct sbx_place){0};
    struct sbx_compiler *compiler = calloc(1, sizeof(*compiler));
    if (!compiler)
        return no_memory(err);
    compiler->config = config;
    compiler->subject = subject;
    compiler->err = err;
    sbx_arena_init(&compiler->arena, SBX_CONFIG_BYTES);
    int status = compile(compiler, config, out);
    *culprit = compiler->culprit;
    free(compiler->entries);
    free(compiler->paths);
    free(compiler->rules);
    free(compiler->domains);
    free(compiler->blob.bytes);
    sbx_arena_free(&compiler->arena);
    free(compiler);
    return status;
}
