#include "sbxsh/environment.h"

#include <string.h>

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/* MUST never come from outside, whatever policy keeps: they change what the loader loads, how bash
 * reads the text that was judged, or put code in front of it. */
static const char *const never[] = {
    "LD_*",        "BASH_*",      "BASHOPTS",
    "ENV",         "SHELLOPTS",   "POSIXLY_CORRECT",
    "PS0",         "PS1",         "PS2",
    "PS3",         "PS4",         "PROMPT_*",
    "IFS",         "CDPATH",      "GLOBIGNORE",
    "EXECIGNORE",  "INPUTRC",     "HISTFILE",
    "GCONV_PATH",  "GETCONF_DIR", "GLIBC_TUNABLES",
    "HOSTALIASES", "LOCPATH",     "NLSPATH",
    "MALLOC_*",    "RES_OPTIONS", "LOCALDOMAIN",
    "TMOUT",       "RESOLV_*",
};

/* The same for an entry alone: programs inside use these among themselves. */
static const char *const never_at_entry[] = {
    "GIT_SSH",
    "GIT_SSH_*",
    "GIT_PROXY_COMMAND",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_EDITOR",
    "GIT_ASKPASS",
    "GIT_SEQUENCE_EDITOR",
    "GIT_EXEC_PATH",
    "GIT_TEMPLATE_DIR",
    "GIT_CONFIG*",
    "SSH_TTY",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "PATH",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "_",
    "SBX_*",
};

static bool is_plain(const char *value)
{
    return strlen(value) <= 64 && value[strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789"
                                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ._+-")] == '\0';
}

/* A time zone by name or rule, never by path: TZ=/file makes every program read that file. */
static bool is_zone(const char *value)
{
    return value[0] != '/' && value[0] != ':' && !strstr(value, "..") && strlen(value) <= 64;
}

/* Only locales whose characters leave ASCII bytes alone. In BIG5, GBK or SJIS a backslash can be the
 * second half of a character, so bash would read other words than were judged. */
static bool is_ascii_safe_locale(const char *value)
{
    if (!strcmp(value, "C") || !strcmp(value, "POSIX") || !*value)
        return true;
    size_t len = strcspn(value, "@");
    const char *dot = memchr(value, '.', len);
    if (!dot || strchr(value, '/') || strlen(value) > 64)
        return false;
    size_t set = (size_t)(value + len - dot);
    return (set == 6 && !strncasecmp(dot, ".utf-8", 6)) ||
           (set == 5 && !strncasecmp(dot, ".utf8", 5));
}

static bool is_any(const char *value)
{
    (void)value;
    return true;
}

/* What an entry takes over without being told to, and the form its value must have. */
static const struct {
    const char *pattern;
    bool (*accepts)(const char *value);
} taken[] = {
    {"TERM",                 is_plain            },
    {"COLORTERM",            is_plain            },
    {"NO_COLOR",             is_plain            },
    {"LANG",                 is_ascii_safe_locale},
    {"LC_*",                 is_ascii_safe_locale},
    {"TZ",                   is_zone             },
    {"SSH_CONNECTION",       is_any              },
    {"SSH_CLIENT",           is_any              },
    {"SSH_ORIGINAL_COMMAND", is_any              },
    {"GIT_PROTOCOL",         is_any              },
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

bool sbxsh_name_matches(const char *pattern, const char *name, size_t name_len)
{
    const char *star = NULL;
    size_t at = 0, mark = 0;
    while (at < name_len) {
        if (*pattern == '*') {
            star = ++pattern;
            mark = at;
        } else if (*pattern && (*pattern == '?' || *pattern == name[at])) {
            pattern++;
            at++;
        } else if (star) {
            pattern = star;
            at = ++mark;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static bool in_table(const char *const *table, size_t count, const char *name, size_t len)
{
    for (size_t i = 0; i < count; i++)
        if (sbxsh_name_matches(table[i], name, len))
            return true;
    return false;
}

/* How entries of a list match a name. */
struct match {
    bool any, exactly;  /* exactly: one without a wildcard */
    bool built_in_only; /* none that a file holds */
};

static struct match in_list(const struct sbx_policy *policy, enum sbx_key key, const char *name,
                            size_t len)
{
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    struct match match = {.built_in_only = true};
    for (uint32_t i = 0; i < count; i++) {
        const char *pattern = sbx_policy_text(policy, items[i].text);
        if (!sbxsh_name_matches(pattern, name, len))
            continue;
        match.any = true;
        match.exactly |= !strpbrk(pattern, "*?");
        match.built_in_only &= items[i].origin.scope == SBX_SCOPE_DEFAULT;
    }
    return match;
}

static bool is_name(const char *name, size_t len)
{
    if (!len || (name[0] >= '0' && name[0] <= '9'))
        return false;
    for (size_t i = 0; i < len; i++)
        if (!memchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", name[i], 63))
            return false;
    return true;
}

static bool is_taken(const char *name, size_t len, const char *value)
{
    for (size_t i = 0; i < COUNT(taken); i++)
        if (sbxsh_name_matches(taken[i].pattern, name, len))
            return taken[i].accepts(value);
    return false;
}

/* The one decision about an inherited variable. Names that the compiled-in list takes for secrets stay
 * outside unless a keep names one of them exactly; inside, programs may have their own. */
static bool is_kept(const struct sbxsh_entry *entry, const char *name, size_t len,
                    const char *value)
{
    const struct sbx_policy *policy = entry->policy;
    struct match secret = in_list(policy, SBX_KEY_CREDENTIALS_DENY_ENV, name, len);
    if (!is_name(name, len) || in_table(never, COUNT(never), name, len) ||
        in_list(policy, SBX_KEY_ENVIRONMENT_DENY, name, len).any ||
        (secret.any && !secret.built_in_only))
        return false;
    if (sbxsh_name_matches("LC_*", name, len) || (len == 4 && !memcmp(name, "LANG", 4)))
        return is_ascii_safe_locale(value);
    if (entry->is_nested)
        return true;
    if (in_table(never_at_entry, COUNT(never_at_entry), name, len))
        return false;
    if (is_taken(name, len, value))
        return true;
    struct match keep = in_list(policy, SBX_KEY_ENVIRONMENT_KEEP, name, len);
    return keep.exactly || (keep.any && !secret.any);
}

struct builder {
    struct sbx_arena *arena;
    char **vars;
    size_t count, capacity;
    size_t own; /* the first ones are ours: nothing inherited takes their names */
    bool failed;
};

/* The place of a name among the first `own` variables, or their number. */
static size_t find_own(const struct builder *builder, const char *name, size_t len)
{
    size_t at = 0;
    while (at < builder->own &&
           (strncmp(builder->vars[at], name, len) != 0 || builder->vars[at][len] != '='))
        at++;
    return at;
}

static void put_at(struct builder *builder, size_t at, const char *name, size_t len,
                   const char *value)
{
    size_t value_len = strlen(value);
    char *text = sbx_arena_alloc(builder->arena, len + value_len + 2);
    if (!text || at >= builder->capacity) {
        builder->failed = true;
        return;
    }
    memcpy(text, name, len);
    text[len] = '=';
    memcpy(text + len + 1, value, value_len + 1);
    builder->vars[at] = text;
    if (at == builder->count)
        builder->count++;
}

/* Adds a variable of ours; a name that is there already gets the new value. */
static void put(struct builder *builder, const char *name, size_t len, const char *value)
{
    put_at(builder, find_own(builder, name, len), name, len, value);
    builder->own = builder->count;
}

static void put_name(struct builder *builder, const char *name, const char *value)
{
    put(builder, name, strlen(name), value);
}

/* PATH from policy, a leading ~ of each folder being the account's home. */
static const char *search_path(struct builder *builder, const struct sbx_policy *policy)
{
    const char *path = sbx_policy_string(policy, SBX_KEY_ENVIRONMENT_PATH);
    const char *home = sbx_policy_text(policy, policy->home);
    if (!path || !*path)
        return DEFAULT_PATH;
    size_t folders = 1, home_len = strlen(home);
    for (const char *at = path; *at; at++)
        folders += *at == ':';
    char *out = sbx_arena_alloc(builder->arena, strlen(path) + folders * home_len + 1), *end = out;
    if (!out)
        return NULL;
    for (const char *at = path; *at; at++) {
        bool starts = at == path || at[-1] == ':';
        if (starts && *at == '~' && (at[1] == '/' || at[1] == ':' || !at[1])) {
            memcpy(end, home, home_len);
            end += home_len;
        } else {
            *end++ = *at;
        }
    }
    *end = '\0';
    return out;
}

static void put_identity(struct builder *builder, const struct sbxsh_entry *entry)
{
    const struct sbx_policy *policy = entry->policy;
    const char *path = search_path(builder, policy);
    if (!path) {
        builder->failed = true;
        return;
    }
    put_name(builder, "HOME", sbx_policy_text(policy, policy->home));
    put_name(builder, "USER", sbx_policy_text(policy, policy->account));
    put_name(builder, "LOGNAME", sbx_policy_text(policy, policy->account));
    put_name(builder, "SHELL", entry->shell);
    put_name(builder, "PATH", path);
    put_name(builder, "SBX_JAIL", entry->jail);
    put_name(builder, "SBX_BRIEF", entry->brief);
    if (entry->tty)
        put_name(builder, "SSH_TTY", entry->tty);
}

/* [environment] set. Only managed files may set one of the names that are never taken over. */
static void put_settings(struct builder *builder, const struct sbx_policy *policy)
{
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(policy, SBX_KEY_ENVIRONMENT_SET, &count);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = sbx_policy_text(policy, items[i].text);
        const char *equals = strchr(text, '=');
        if (!equals)
            continue;
        size_t len = (size_t)(equals - text);
        bool is_managed = items[i].origin.scope == SBX_SCOPE_MANAGED;
        if (is_name(text, len) && (is_managed || !in_table(never, COUNT(never), text, len)))
            put(builder, text, len, equals + 1);
    }
}

char **sbxsh_environment_build(struct sbx_arena *arena, const struct sbxsh_entry *entry,
                               const char *const *inherited, struct sbx_err *err)
{
    size_t count = 0;
    uint32_t settings = 0;
    while (inherited[count])
        count++;
    (void)sbx_policy_list(entry->policy, SBX_KEY_ENVIRONMENT_SET, &settings);
    struct builder builder = {.arena = arena, .capacity = count + settings + 16};
    builder.vars = sbx_arena_alloc(arena, (builder.capacity + 1) * sizeof(char *));
    if (!builder.vars) {
        (void)sbx_fail(err, SBX_E_MEMORY, 0, "the environment is too large");
        return NULL;
    }
    if (!entry->is_nested) {
        put_identity(&builder, entry);
        put_settings(&builder, entry->policy);
    }
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(inherited[i], '=');
        if (!equals)
            continue;
        size_t len = (size_t)(equals - inherited[i]);
        if (find_own(&builder, inherited[i], len) == builder.own &&
            is_kept(entry, inherited[i], len, equals + 1))
            put_at(&builder, builder.count, inherited[i], len, equals + 1);
    }
    if (builder.failed) {
        (void)sbx_fail(err, SBX_E_MEMORY, 0, "the environment is too large");
        return NULL;
    }
    return builder.vars;
}
