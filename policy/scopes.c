/* The files of accounts and projects: what of them counts.
 *
 * They may take away, and no more, unless a managed file lets their scope extend and the account
 * cannot have written them. What does not count is kept, with the reason. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/config_internal.h"
#include "policy/rule.h"
#include "policy/value.h"

#define MODE_DISABLED 2 /* of sandbox.mode */
#define VIEW_WHOLE    1 /* of filesystem.view */

/* The words of [scopes], in the order of the key table. */
enum scopes_word { SCOPES_TIGHTEN = 0, SCOPES_EXTEND, SCOPES_IGNORE };

static bool is_lower(const struct sbx_entry *entry)
{
    return entry->scope > SBX_SCOPE_DEFAULT && entry->scope < SBX_SCOPE_FLAG;
}

static enum sbx_key scope_key(enum sbx_scope scope)
{
    return scope == SBX_SCOPE_USER      ? SBX_KEY_SCOPES_USER
           : scope == SBX_SCOPE_PROJECT ? SBX_KEY_SCOPES_PROJECT
                                        : SBX_KEY_SCOPES_LOCAL;
}

static enum scopes_word word_of(const struct sbx_config *config, enum sbx_scope scope)
{
    const struct sbx_entry *winner = sbx_config_winner(config, scope_key(scope));
    return winner ? (enum scopes_word)winner->number : SCOPES_TIGHTEN;
}

struct scalar { /* what counts so far, from the lowest scope up */
    const struct sbx_entry *lock;
    int64_t number;
    bool is_known;
};

struct closed { /* a path that a file of a project denies to readers */
    const struct sbx_entry *by;
    const char *path;
};

struct settling {
    struct sbx_config *config;
    const char *home;      /* of the account */
    const char *workspace; /* one that an option gives, or NULL */
    const char **tops;     /* what files that may give show */
    size_t top_count;
    struct closed *closed;
    size_t closed_count;
    enum scopes_word word[SBX_SCOPE_FLAG];   /* by scope */
    const struct sbx_entry *domains, *reads; /* the two managed switches, where they are on */
    struct scalar scalars[SBX_KEY_COUNT];
};

__attribute__((format(printf, 3, 4))) static int
ignore(const struct settling *settling, struct sbx_entry *entry, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    entry->ignored = sbx_arena_strndup(&settling->config->arena, text, strlen(text));
    return entry->ignored ? 0 : -1;
}

/* --- what is narrower ------------------------------------------------------------------------- */
/* How much a scalar's value gives away, for the two keys whose words stand in another order. */
static int64_t width(enum sbx_key key, int64_t number)
{
    static const int64_t networks[] = {1, 0, 2}; /* filter, none, host */
    static const int64_t modes[] = {1, 0, 2};    /* auto-allow, regular, disabled */
    if (key == SBX_KEY_NETWORK_MODE)
        return networks[number];
    if (key == SBX_KEY_SANDBOX_MODE)
        return modes[number];
    return sbx_key_table[key].flags & SBX_K_MORE ? -number : number;
}

static bool has_width(enum sbx_key key)
{
    return key == SBX_KEY_NETWORK_MODE || key == SBX_KEY_SANDBOX_MODE ||
           sbx_key_table[key].flags & (SBX_K_LESS | SBX_K_MORE);
}

/* Where nothing is set, a limit is endless, and a class has each finding's own action, below which only
 * the strictest can be. */
static bool is_narrower(enum sbx_key key, int64_t number, int64_t current)
{
    if (!has_width(key))
        return false;
    if (current == SBX_UNSET)
        return strcmp(sbx_key_table[key].section, "classifier") != 0 || number == 0;
    return width(key, number) <= width(key, current);
}

/* --- one entry -------------------------------------------------------------------------------- */
static const char *scope_word(const struct sbx_entry *entry)
{
    return sbx_key_table[scope_key((enum sbx_scope)entry->scope)].key;
}

static bool extends(const struct settling *settling, const struct sbx_entry *entry)
{
    return entry->may_extend && settling->word[entry->scope] == SCOPES_EXTEND;
}

/* It would give more, and may not. */
static int ignore_wider(const struct settling *settling, struct sbx_entry *entry)
{
    if (settling->word[entry->scope] == SCOPES_EXTEND)
        return ignore(
            settling, entry,
            "it would give more, and the account can change this file or a directory above "
            "it: give them to root, or accept it with sbxctl policy trust");
    return ignore(settling, entry, "it would give more, and [scopes] %s = tighten",
                  scope_word(entry));
}

/* The managed switch that keeps others from allowing this, or NULL. */
static const struct sbx_entry *switch_for(const struct settling *settling,
                                          const struct sbx_entry *entry)
{
    struct sbx_rule_parts parts = {.tool = SBX_TOOL_BASH};
    struct sbx_err ignored = SBX_ERR_INIT;
    if (entry->key == SBX_KEY_PERMISSIONS_ALLOW && sbx_rule_parse(entry->value, &parts, &ignored))
        return NULL;
    if (entry->key == SBX_KEY_NETWORK_ALLOW_DOMAIN || entry->key == SBX_KEY_NETWORK_ALLOW_ADDRESS ||
        parts.tool == SBX_TOOL_WEBFETCH)
        return settling->domains;
    if (entry->key == SBX_KEY_FILESYSTEM_ALLOW_READ || parts.tool == SBX_TOOL_READ)
        return settling->reads;
    return NULL;
}

/* allow = Read(x) is allow_read = x: it opens only what its own scope or a lower one closed. */
static bool is_read_rule(const struct sbx_entry *entry)
{
    struct sbx_rule_parts parts;
    struct sbx_err ignored = SBX_ERR_INIT;
    return entry->key == SBX_KEY_PERMISSIONS_ALLOW &&
           !sbx_rule_parse(entry->value, &parts, &ignored) && parts.tool == SBX_TOOL_READ &&
           parts.form != SBX_FORM_ANY;
}

/* --- what the account sees without it --------------------------------------------------------- */
/* What a system view holds beside the home: the trees of jail/plan.c. */
static const char *const shown[] = {
    "/usr", "/bin", "/sbin",         "/lib",           "/lib32",       "/lib64",
    "/etc", "/opt", "/var/lib/dpkg", "/var/cache/apt", "/var/lib/apt", "/var/lib/rpm"};
/* Of the jail's own in any view: what the host has there is another. */
static const char *const own[] = {"/tmp", "/var/tmp", "/dev", "/proc", "/sys", "/run"};

static bool is_within(const char *path, const char *top)
{
    size_t len = strlen(top);
    return len == 1 || (!strncmp(path, top, len) && (path[len] == '/' || !path[len]));
}

static bool is_within_any(const char *path, const char *const *tops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_within(path, tops[i]))
            return true;
    return false;
}

enum about { ABOUT_NO_PATH, ABOUT_GIVING, ABOUT_CLOSING };

static enum about about(const struct sbx_entry *entry, struct sbx_rule_parts *parts)
{
    struct sbx_err ignored = SBX_ERR_INIT;
    bool is_allow = entry->key == SBX_KEY_PERMISSIONS_ALLOW;
    switch ((int)entry->key) {
    case SBX_KEY_FILESYSTEM_WORKSPACE:
    case SBX_KEY_FILESYSTEM_ALLOW_WRITE:
    case SBX_KEY_FILESYSTEM_ALLOW_READ:
        return ABOUT_GIVING;
    case SBX_KEY_FILESYSTEM_DENY_READ:
    case SBX_KEY_CREDENTIALS_DENY_FILE:
        return ABOUT_CLOSING;
    case SBX_KEY_PERMISSIONS_ALLOW:
    case SBX_KEY_PERMISSIONS_DENY:
        if (sbx_rule_parse(entry->value, parts, &ignored) || parts->form == SBX_FORM_ANY ||
            (parts->tool != SBX_TOOL_READ && !(is_allow && parts->tool == SBX_TOOL_EDIT)))
            return ABOUT_NO_PATH;
        return is_allow ? ABOUT_GIVING : ABOUT_CLOSING;
    default:
        return ABOUT_NO_PATH;
    }
}

/* The path that an entry gives or closes, if it does that. */
static bool path_of(const struct settling *settling, const struct sbx_entry *entry,
                    enum about wanted, struct sbx_value_path *path)
{
    struct sbx_rule_parts parts;
    struct sbx_err ignored = SBX_ERR_INIT;
    if (about(entry, &parts) != wanted)
        return false;
    bool is_rule = !strcmp(sbx_key_table[entry->key].section, "permissions");
    const struct sbx_path_base base = {.home = settling->home,
                                       .root = entry->base ? entry->base : settling->home};
    return !sbx_value_path(is_rule ? parts.content : entry->value, &base,
                           is_rule ? SBX_PATH_IN_RULE : SBX_PATH_IN_KEY, path, &ignored);
}

/* A rule for one of these shows nothing of the host's: the view has its own there. */
static bool is_jails_own(const char *path)
{
    return !strcmp(path, "/") || !strcmp(path, "/tmp") || !strcmp(path, "/var/tmp");
}

/* What files that may give show, as far as the scopes are settled. Few: the others can be many. */
static int find_tops(struct settling *settling)
{
    struct sbx_config *config = settling->config;
    struct sbx_value_path top;
    settling->top_count = 0;
    for (size_t i = 0; i < config->count; i++) {
        const struct sbx_entry *entry = &config->entries[i];
        if (entry->ignored || (is_lower(entry) && !extends(settling, entry)) ||
            !path_of(settling, entry, ABOUT_GIVING, &top) || top.is_glob || is_jails_own(top.text))
            continue;
        const char *text = sbx_arena_strndup(&config->arena, top.text, strlen(top.text));
        const char **tops =
            reallocarray(settling->tops, settling->top_count + 1, sizeof(*settling->tops));
        if (tops)
            settling->tops = tops;
        if (!tops || !text)
            return -1;
        tops[settling->top_count++] = text;
    }
    return 0;
}

/* To open what somebody closed is to show no more than there was: the path lies in the view as the
 * files that may give make it. */
static bool is_in_view(const struct settling *settling, const struct sbx_entry *entry)
{
    struct sbx_value_path path;
    const struct sbx_entry *view = sbx_config_winner(settling->config, SBX_KEY_FILESYSTEM_VIEW);
    if (!path_of(settling, entry, ABOUT_GIVING,
                 &path)) /* the compiler says what is wrong with it */
        return true;
    bool is_whole = view && view->number == VIEW_WHOLE &&
                    (!is_lower(view) || extends(settling, view)) &&
                    !is_within_any(path.anchor, own, sizeof(own) / sizeof(*own));
    return is_whole || is_within(path.anchor, settling->home) ||
           (settling->workspace && is_within(path.anchor, settling->workspace)) ||
           is_within_any(path.anchor, shown, sizeof(shown) / sizeof(*shown)) ||
           is_within_any(path.anchor, settling->tops, settling->top_count);
}

static bool is_project(const struct sbx_entry *entry)
{
    return entry->scope == SBX_SCOPE_PROJECT || entry->scope == SBX_SCOPE_LOCAL;
}

static int find_closed(struct settling *settling)
{
    struct sbx_config *config = settling->config;
    struct sbx_value_path path;
    for (size_t i = 0; i < config->count; i++) {
        const struct sbx_entry *entry = &config->entries[i];
        if (!is_project(entry) || !path_of(settling, entry, ABOUT_CLOSING, &path))
            continue;
        const char *text = sbx_arena_strndup(&config->arena, path.anchor, strlen(path.anchor));
        struct closed *closed =
            reallocarray(settling->closed, settling->closed_count + 1, sizeof(*closed));
        if (closed)
            settling->closed = closed;
        if (!closed || !text)
            return -1;
        closed[settling->closed_count++] = (struct closed){entry, text};
    }
    return 0;
}

/* What closes the path for another workspace, or NULL: who writes in one project must not open what the
 * file of another keeps shut. */
static const struct sbx_entry *closed_elsewhere(const struct settling *settling,
                                                const struct sbx_entry *entry)
{
    struct sbx_value_path path;
    if (!is_project(entry) || !path_of(settling, entry, ABOUT_GIVING, &path))
        return NULL;
    for (size_t i = 0; i < settling->closed_count; i++) {
        const struct closed *closed = &settling->closed[i];
        if (strcmp(closed->by->base, entry->base) != 0 && !closed->by->ignored &&
            is_within(path.anchor, closed->path))
            return closed->by;
    }
    return NULL;
}

/* --- lists ------------------------------------------------------------------------------------ */
static bool is_scalar(const struct sbx_entry *entry)
{
    const struct sbx_key_row *row = &sbx_key_table[entry->key];
    return !SBX_KEY_IS_LIST(row->type) && strcmp(row->section, "command") != 0;
}

static int settle_list(const struct settling *settling, struct sbx_entry *entry)
{
    const struct sbx_entry *winner = switch_for(settling, entry);
    if (winner)
        return ignore(settling, entry, "%s.%s (%s:%u) leaves it to files below /etc/sbx",
                      sbx_key_table[winner->key].section, sbx_key_table[winner->key].key,
                      winner->file, winner->line);
    if (!is_lower(entry) || extends(settling, entry))
        return 0;
    if (entry->key != SBX_KEY_FILESYSTEM_ALLOW_READ && !is_read_rule(entry))
        return sbx_key_table[entry->key].flags & SBX_K_NARROWS ? 0 : ignore_wider(settling, entry);
    const struct sbx_entry *closed = closed_elsewhere(settling, entry);
    if (closed)
        return ignore(settling, entry, "%s:%u, of another workspace, closes it", closed->file,
                      closed->line);
    return is_in_view(settling, entry) ? 0 : ignore_wider(settling, entry);
}

/* --- scalars ---------------------------------------------------------------------------------- */
static int64_t fallback_of(enum sbx_key key)
{
    struct sbx_err ignored = SBX_ERR_INIT;
    int64_t number = SBX_UNSET;
    const char *text = sbx_key_table[key].fallback;
    if (!text || sbx_value_check(key, text, &number, &ignored))
        return SBX_UNSET;
    return number;
}

static int settle_scalar(struct settling *settling, struct sbx_entry *entry)
{
    struct scalar *scalar = &settling->scalars[entry->key];
    if (!scalar->is_known) {
        *scalar = (struct scalar){.lock = sbx_config_winner(settling->config, entry->key),
                                  .number = fallback_of(entry->key),
                                  .is_known = true};
        if (scalar->lock && scalar->lock->scope < SBX_SCOPE_FLAG)
            scalar->lock = NULL;
    }
    if (scalar->lock)
        return ignore(settling, entry, "it is locked by %s:%u", scalar->lock->file,
                      scalar->lock->line);
    if (entry->key == SBX_KEY_SANDBOX_MODE && entry->number == MODE_DISABLED)
        return ignore(settling, entry, "only a file below /etc/sbx can leave the jail out");
    if (!extends(settling, entry) && !is_narrower(entry->key, entry->number, scalar->number))
        return ignore_wider(settling, entry);
    scalar->number = entry->number;
    return 0;
}

/* Scope by scope, so that each is compared with what the scopes below it made of the value. */
static int settle_scope(struct settling *settling, enum sbx_scope scope)
{
    struct sbx_config *config = settling->config;
    for (size_t i = 0; i < config->count; i++) {
        struct sbx_entry *entry = &config->entries[i];
        int status = 0;
        if (entry->scope != scope || entry->ignored)
            continue;
        if (settling->word[scope] == SCOPES_IGNORE)
            status = ignore(settling, entry, "[scopes] %s = ignore", scope_word(entry));
        else if (is_scalar(entry))
            status = settle_scalar(settling, entry);
        else
            status = settle_list(settling, entry);
        if (status)
            return -1;
    }
    return 0;
}

static const struct sbx_entry *find_switch(const struct sbx_config *config, enum sbx_key key)
{
    const struct sbx_entry *winner = sbx_config_winner(config, key);
    return winner && winner->number ? winner : NULL;
}

static int settle(struct settling *settling)
{
    struct sbx_config *config = settling->config;
    settling->domains = find_switch(config, SBX_KEY_NETWORK_MANAGED_DOMAINS_ONLY);
    settling->reads = find_switch(config, SBX_KEY_FILESYSTEM_MANAGED_READ_ONLY);
    if (find_closed(settling))
        return -1;
    for (enum sbx_scope scope = SBX_SCOPE_USER; scope <= SBX_SCOPE_LOCAL; scope++) {
        if (find_tops(settling)) /* with those of the scopes below */
            return -1;
        settling->word[scope] = word_of(config, scope);
        if (settle_scope(settling, scope))
            return -1;
    }
    for (size_t i = 0; i < config->count; i++)
        if ((config->entries[i].scope == SBX_SCOPE_FLAG ||
             config->entries[i].scope == SBX_SCOPE_GRANT) &&
            !is_scalar(&config->entries[i]) && settle_list(settling, &config->entries[i]))
            return -1;
    return 0;
}

int sbx_scopes_settle(struct sbx_config *config, const char *home, const char *workspace,
                      struct sbx_err *err)
{
    struct settling settling = {.config = config, .home = home, .workspace = workspace};
    int status = settle(&settling);
    free(settling.tops);
    free(settling.closed);
    return status ? sbx_fail(err, SBX_E_MEMORY, 0, "cannot merge the policy: out of memory") : 0;
}

bool sbx_config_ignored(const struct sbx_config *config, size_t *at, struct sbx_ignored *out)
{
    while (*at < config->count) {
        const struct sbx_entry *entry = &config->entries[(*at)++];
        if (!entry->ignored)
            continue;
        *out = (struct sbx_ignored){.key = entry->key,
                                    .scope = (enum sbx_scope)entry->scope,
                                    .file = entry->file,
                                    .value = entry->value,
                                    .why = entry->ignored,
                                    .line = entry->line};
        return true;
    }
    return false;
}
