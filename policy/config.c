#include "policy/config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/config_internal.h"
#include "policy/ini.h"
#include "policy/rule.h"
#include "policy/value.h"

#define FAULTS_TOLD 100 /* of one file; a binary would give thousands */

int sbx_config_new(struct sbx_config **out, struct sbx_err *err)
{
    struct sbx_config *config = calloc(1, sizeof(*config));
    if (!config)
        return sbx_fail(err, SBX_E_MEMORY, 0, "out of memory");
    sbx_arena_init(&config->arena, SBX_CONFIG_BYTES);
    config->stamp = 0xcbf29ce484222325u;
    *out = config;
    return 0;
}

void sbx_config_free(struct sbx_config *config)
{
    if (!config)
        return;
    sbx_arena_free(&config->arena);
    free(config->entries);
    free(config->kept.bytes);
    free(config);
}

uint64_t sbx_config_stamp(const struct sbx_config *config)
{
    return config->stamp;
}

void sbx_place_lead(const struct sbx_place *place, char *out, size_t size)
{
    const char *file = place->file ? place->file : "";
    if (!place->line)
        (void)snprintf(out, size, "%s%s", file, *file ? ": " : "");
    else if (!place->column)
        (void)snprintf(out, size, "%s:%u: ", file, place->line);
    else
        (void)snprintf(out, size, "%s:%u:%u: ", file, place->line, place->column);
}

void sbx_tell(struct sbx_telling *telling, enum sbx_severity severity, enum sbx_err_code code,
              const struct sbx_place *place, const char *message)
{
    char lead[PATH_MAX + 64] = "";
    if (severity == SBX_SEVERITY_ERROR && !telling->errors++) {
        if (place->line) /* else the message names the file itself */
            sbx_place_lead(place, lead, sizeof(lead));
        sbx_fail(telling->err, code, 0, "%s%s", lead, message);
    }
    if (telling->reporter && telling->reporter->say)
        telling->reporter->say(telling->reporter->data, severity, place, message);
}

int sbx_entry_blame(const struct sbx_entry *entry, struct sbx_err *err)
{
    char lead[PATH_MAX + 64];
    const struct sbx_place place = {entry->file, entry->line, entry->value_column};
    sbx_place_lead(&place, lead, sizeof(lead));
    return sbx_err_prefix(err, "%s", lead);
}

/* --- one file --------------------------------------------------------------------------------- */
struct parsing {
    struct sbx_config *config;
    struct sbx_telling *telling;
    enum sbx_scope scope;
    const char *file;
    size_t first;             /* of this file's entries */
    unsigned told;            /* faults */
    bool is_full, in_unknown; /* inside a section that is none */
};

static void fault_at(struct parsing *parsing, unsigned line, unsigned column, const char *message)
{
    const struct sbx_place place = {parsing->file, line, column};
    if (parsing->told++ < FAULTS_TOLD)
        sbx_tell(parsing->telling, SBX_SEVERITY_ERROR, SBX_E_POLICY, &place, message);
}

static void fault(void *data, const struct sbx_ini_at *at, const char *message)
{
    fault_at(data, at->line, at->column, message);
}

static int add_entry(struct sbx_config *config, const struct sbx_entry *entry)
{
    if (config->count >= SBX_CONFIG_ITEMS ||
        (config->lower && config->lower_count++ >= SBX_CONFIG_LOWER_ITEMS))
        return -1;
    if (config->count == config->room) {
        size_t room = config->room * 2 + 256;
        struct sbx_entry *entries = reallocarray(config->entries, room, sizeof(*entries));
        if (!entries)
            return -1;
        config->entries = entries;
        config->room = room;
    }
    config->entries[config->count] = *entry;
    struct sbx_entry *added = &config->entries[config->count];
    added->value = sbx_arena_strndup(&config->arena, entry->value, strlen(entry->value));
    if (entry->command)
        added->command = sbx_arena_strndup(&config->arena, entry->command, strlen(entry->command));
    if (config->lower) {
        added->base = config->lower->base;
        added->may_extend = config->lower->may_extend;
    }
    if (!added->value || (entry->command && !added->command))
        return -1;
    config->count++;
    return 0;
}

/* "command NAME" is section "command"; *command points to NAME. */
static int split_section(const char *section, const char **base, const char **command,
                         struct sbx_err *err)
{
    char hint[96];
    *base = section;
    *command = NULL;
    if (!strncmp(section, "command", 7) && (section[7] == ' ' || !section[7])) {
        *base = "command";
        *command = section + 7 + strspn(section + 7, " ");
        if (!**command || strchr(*command, ' ') || strchr(*command, '/'))
            return sbx_fail(err, SBX_E_POLICY, 0,
                            "write [command NAME], NAME being that of one program");
        return 0;
    }
    if (sbx_key_has_section(section))
        return 0;
    sbx_section_suggest(section, hint, sizeof(hint));
    return sbx_fail(err, SBX_E_POLICY, 0, "no section [%s]%s", section, hint);
}

/* A grant opens one thing, and can do no more. */
static bool is_grantable(enum sbx_key key)
{
    return key == SBX_KEY_PERMISSIONS_ALLOW || key == SBX_KEY_FILESYSTEM_ALLOW_WRITE ||
           key == SBX_KEY_FILESYSTEM_ALLOW_READ || key == SBX_KEY_NETWORK_ALLOW_DOMAIN ||
           key == SBX_KEY_NETWORK_ALLOW_ADDRESS;
}

static int check_scope(enum sbx_key key, enum sbx_scope scope, struct sbx_err *err)
{
    const struct sbx_key_row *row = &sbx_key_table[key];
    if (scope == SBX_SCOPE_GRANT && !is_grantable(key))
        return sbx_fail(err, SBX_E_POLICY, 0, "%s.%s is nothing that a grant can hold",
                        row->section, row->key);
    if ((row->flags & SBX_K_MANAGED) && scope < SBX_SCOPE_FLAG)
        return sbx_fail(err, SBX_E_POLICY, 0, "%s.%s counts in the files below /etc/sbx alone",
                        row->section, row->key);
    if ((row->flags & SBX_K_FILES) && scope != SBX_SCOPE_MANAGED)
        return sbx_fail(err, SBX_E_POLICY, 0,
                        "%s.%s counts in the files below /etc/sbx alone, not as an option",
                        row->section, row->key);
    return 0;
}

/* Who is confined is asked before the files of groups and accounts are read: there it would be
 * accepted and do nothing. */
static int check_place(const struct sbx_config *config, enum sbx_key key, struct sbx_err *err)
{
    const struct sbx_key_row *row = &sbx_key_table[key];
    if (!config->is_narrow || !(row->flags & SBX_K_ALL))
        return 0;
    return sbx_fail(err, SBX_E_POLICY, 0,
                    "%s.%s counts in policy.ini and policy.d/*.ini alone: move it there",
                    row->section, row->key);
}

/* Fills in key, command, value and number of an entry from its words; the value stays NULL where it is
 * not the value that is wrong. */
static int understand(const char *section, const char *key, const char *value,
                      struct sbx_entry *entry, struct sbx_err *err)
{
    const char *base = NULL;
    char hint[96];
    if (split_section(section, &base, &entry->command, err))
        return -1;
    entry->key = sbx_key_find(base, key);
    if (entry->key == SBX_KEY_COUNT) {
        sbx_key_suggest(base, key, hint, sizeof(hint));
        return sbx_fail(err, SBX_E_POLICY, 0, "no key '%s' in [%s]%s", key, base, hint);
    }
    if (check_scope(entry->key, (enum sbx_scope)entry->scope, err))
        return -1;
    entry->value = value;
    if (sbx_value_check(entry->key, value, &entry->number, err))
        return sbx_err_prefix(err, "%s.%s: ", base, key);
    if (entry->key == SBX_KEY_SANDBOX_MODE && entry->scope == SBX_SCOPE_FLAG &&
        !strcmp(value, "disabled"))
        return sbx_fail(
            err, SBX_E_POLICY, 0,
            "sandbox.mode = disabled counts in the files below /etc/sbx alone, not as an "
            "option");
    return 0;
}

/* A rule such as Bash(a) ; (b) is one rule with an odd content: most likely a comment was meant. */
static bool has_comment(enum sbx_key_type type, const char *value)
{
    return type == SBX_T_RULES      ? strstr(value, ") ;") || strstr(value, ") #")
           : type == SBX_T_PATTERNS ? strstr(value, " ;") || strstr(value, " #")
                                    : false;
}

/* Why a value that is none the less valid is hardly what was meant; NULL where nothing is odd. */
static const char *doubt_about(enum sbx_key key, const char *value)
{
    enum sbx_key_type type = sbx_key_table[key].type;
    if (has_comment(type, value))
        return "what looks like a comment is part of the value: comments stand on a line of their "
               "own";
    if (type == SBX_T_RULES)
        return sbx_rule_doubt(value);
    if ((type == SBX_T_PATHS || type == SBX_T_DIRS) &&
        (strstr(value, ", ~") || strstr(value, ", /")))
        return "this is one path, with a comma in its name: repeat the key for each";
    if ((key == SBX_KEY_ENVIRONMENT_KEEP || key == SBX_KEY_ENVIRONMENT_DENY ||
         key == SBX_KEY_CREDENTIALS_DENY_ENV) &&
        strpbrk(value, "=, \t$"))
        return "no variable has such a name: one pattern a line, a name or NAME_*";
    if (key == SBX_KEY_ENVIRONMENT_SET &&
        (!strncmp(value, "HOME=", 5) || !strncmp(value, "USER=", 5) ||
         !strncmp(value, "LOGNAME=", 8) || !strncmp(value, "SHELL=", 6)))
        return "this one comes from passwd and stays";
    if (key == SBX_KEY_ACCOUNTS_USER && !strcmp(value, "root"))
        return "root is never confined, whatever stands here";
    return NULL;
}

static void warn(struct parsing *parsing, const struct sbx_entry *entry)
{
    const struct sbx_key_row *row = &sbx_key_table[entry->key];
    const struct sbx_place key = {parsing->file, entry->line, entry->column};
    const struct sbx_place value = {parsing->file, entry->line, entry->value_column};
    const char *doubt = doubt_about(entry->key, entry->value);
    char message[256];
    if (doubt) {
        (void)snprintf(message, sizeof(message), "%s.%s: %s", row->section, row->key, doubt);
        sbx_tell(parsing->telling, SBX_SEVERITY_WARNING, SBX_E_POLICY, &value, message);
    }
    if (row->flags & SBX_K_LATER) {
        (void)snprintf(message, sizeof(message),
                       "%s.%s is accepted, without effect in this version", row->section, row->key);
        sbx_tell(parsing->telling, SBX_SEVERITY_NOTE, SBX_E_POLICY, &key, message);
    }
}

/* Told at its header, once: an empty section may be a misspelt one too. */
static void section(void *data, const char *name, const struct sbx_ini_at *at)
{
    struct parsing *parsing = data;
    struct sbx_err err = SBX_ERR_INIT;
    const char *base, *command;
    parsing->in_unknown = split_section(name, &base, &command, &err) != 0;
    if (parsing->in_unknown)
        fault(parsing, at, err.message);
}

static void setting(void *data, const char *section_name, const char *key, const char *value,
                    const struct sbx_ini_at *at)
{
    struct parsing *parsing = data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_entry entry = {.scope = parsing->scope,
                              .line = at->line,
                              .column = at->column,
                              .value_column = at->value,
                              .file = parsing->file};
    if (parsing->is_full || parsing->in_unknown)
        return;
    if (understand(section_name, key, value, &entry, &err)) {
        fault_at(parsing, at->line, entry.value ? at->value : at->column, err.message);
    } else if (check_place(parsing->config, entry.key, &err)) {
        fault(parsing, at, err.message);
    } else if (add_entry(parsing->config, &entry)) {
        parsing->is_full = true;
        fault(parsing, at,
              parsing->config->lower
                  ? "more settings than can be held (2000 in files of accounts and projects)"
                  : "more settings than can be held (100000 in all)");
    } else {
        warn(parsing, &entry);
    }
}

/* Order that brings settings that must not meet next to each other. */
static int compare_entries(const void *a, const void *b)
{
    const struct sbx_entry *left = *(const struct sbx_entry *const *)a;
    const struct sbx_entry *right = *(const struct sbx_entry *const *)b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    int order = strcmp(left->command ? left->command : "", right->command ? right->command : "");
    if (!order && SBX_KEY_IS_LIST(sbx_key_table[left->key].type))
        order = strcmp(left->value, right->value);
    if (order)
        return order;
    return left->line < right->line ? -1 : left->line > right->line;
}

static bool is_repeated(const struct sbx_entry *left, const struct sbx_entry *right)
{
    if (left->key != right->key ||
        strcmp(left->command ? left->command : "", right->command ? right->command : ""))
        return false;
    return !SBX_KEY_IS_LIST(sbx_key_table[left->key].type) || !strcmp(left->value, right->value);
}

/* A scalar twice in one file, or the same list entry twice: one of the two is not what was
 * meant. */
static int tell_repeated(struct parsing *parsing)
{
    size_t count = parsing->config->count - parsing->first;
    if (count < 2)
        return 0;
    _cleanup_free_ const struct sbx_entry **order = reallocarray(NULL, count, sizeof(*order));
    if (!order)
        return -1;
    for (size_t i = 0; i < count; i++)
        order[i] = &parsing->config->entries[parsing->first + i];
    qsort(order, count, sizeof(*order), compare_entries);
    for (size_t i = 1; i < count; i++) {
        if (!is_repeated(order[i - 1], order[i]))
            continue;
        const struct sbx_key_row *row = &sbx_key_table[order[i]->key];
        bool is_list = SBX_KEY_IS_LIST(row->type);
        char message[160];
        (void)snprintf(message, sizeof(message), "%s.%s: %s line %u", row->section, row->key,
                       is_list ? "the same entry stands already in"
                               : "takes one value and is set already in",
                       order[i - 1]->line);
        fault_at(parsing, order[i]->line, is_list ? order[i]->value_column : order[i]->column,
                 message);
    }
    return 0;
}

static void tell_of_file(struct sbx_telling *telling, enum sbx_err_code code, const char *file,
                         const char *message)
{
    char text[PATH_MAX + 256];
    const struct sbx_place place = {.file = file};
    (void)snprintf(text, sizeof(text), "%s: %s", file, message);
    sbx_tell(telling, SBX_SEVERITY_ERROR, code, &place, text);
}

int sbx_config_parse(struct sbx_config *config, enum sbx_scope scope, const char *file,
                     const char *bytes, size_t len, struct sbx_telling *telling)
{
    struct parsing parsing = {.config = config,
                              .telling = telling,
                              .scope = scope,
                              .file = sbx_arena_strndup(&config->arena, file, strlen(file)),
                              .first = config->count};
    unsigned before = telling->errors;
    struct sbx_err ignored = SBX_ERR_INIT; /* every fault was told already */
    const struct sbx_ini_sink sink = {
        .section = section, .setting = setting, .fault = fault, .data = &parsing};
    if (!parsing.file) {
        tell_of_file(telling, SBX_E_MEMORY, file, "out of memory");
        return -1;
    }
    if (sbx_ini_parse(bytes, len, &sink, &ignored) && telling->errors == before)
        tell_of_file(telling, ignored.code, file, ignored.message);
    if (tell_repeated(&parsing))
        tell_of_file(telling, SBX_E_MEMORY, file, "out of memory");
    if (parsing.told > FAULTS_TOLD) {
        char message[32];
        (void)snprintf(message, sizeof(message), "%u more errors", parsing.told - FAULTS_TOLD);
        tell_of_file(telling, SBX_E_POLICY, file, message);
    }
    return telling->errors == before ? 0 : -1;
}

/* --- questions -------------------------------------------------------------------------------- */
const struct sbx_entry *sbx_config_winner(const struct sbx_config *config, enum sbx_key key)
{
    const struct sbx_entry *winner = NULL;
    for (size_t i = 0; i < config->count; i++)
        if (config->entries[i].key == key && !config->entries[i].ignored &&
            (!winner || config->entries[i].scope >= winner->scope))
            winner = &config->entries[i];
    return winner;
}

int sbx_config_set(struct sbx_config *config, const char *setting_text, const char *origin,
                   struct sbx_err *err)
{
    const char *dot = strchr(setting_text, '.'), *equals = strchr(setting_text, '=');
    char section[64], key[64];
    if (!dot || !equals || equals < dot || (size_t)(dot - setting_text) >= sizeof(section) ||
        (size_t)(equals - dot - 1) >= sizeof(key))
        return sbx_fail(err, SBX_E_USAGE, 0, "%s: write section.key=value", origin);
    memcpy(section, setting_text, (size_t)(dot - setting_text));
    section[dot - setting_text] = '\0';
    memcpy(key, dot + 1, (size_t)(equals - dot - 1));
    key[equals - dot - 1] = '\0';
    const char *foul = sbx_value_foul(setting_text, strlen(setting_text));
    if (foul)
        return sbx_fail(err, SBX_E_USAGE, 0, "%s: the setting holds %s", origin, foul);
    struct sbx_entry entry = {.scope = SBX_SCOPE_FLAG};
    if (understand(section, key, equals + 1, &entry, err))
        return sbx_err_prefix(err, "%s: ", origin);
    const struct sbx_entry *winner = sbx_config_winner(config, entry.key);
    if (winner && winner->scope == SBX_SCOPE_MANAGED &&
        !SBX_KEY_IS_LIST(sbx_key_table[entry.key].type))
        return sbx_fail(err, SBX_E_POLICY, 0, "%s: %s.%s is locked by %s:%u", origin, section, key,
                        winner->file, winner->line);
    entry.file = sbx_arena_strndup(&config->arena, origin, strlen(origin));
    if (!entry.file || add_entry(config, &entry))
        return sbx_fail(err, SBX_E_MEMORY, 0, "%s: more settings than can be held", origin);
    return 0;
}

static bool is_enabled(const struct sbx_config *config)
{
    const struct sbx_entry *winner = sbx_config_winner(config, SBX_KEY_SANDBOX_ENABLED);
    return winner ? winner->number != 0 : config->is_path;
}

static int match_user(const struct sbx_entry *entry, uid_t uid, const struct sbx_names *names,
                      const char **seen, struct sbx_err *err)
{
    uid_t found = (uid_t)-1;
    int answer = names->uid_of(names->data, entry->value, &found);
    if (answer < 0) {
        sbx_fail(err, SBX_E_SYSTEM, 0, "the account %s cannot be looked up", entry->value);
        return sbx_entry_blame(entry, err);
    }
    if (answer > 0)
        return 0; /* a policy for many machines may name accounts that this one lacks */
    if (found != uid && found != 0)
        return 0;
    if (found == uid && *seen && strcmp(*seen, entry->value)) {
        sbx_fail(err, SBX_E_POLICY, 0, "%s and %s are both uid %u", *seen, entry->value,
                 (unsigned)uid);
        return sbx_entry_blame(entry, err);
    }
    if (found == uid)
        *seen = entry->value;
    if (found != 0)
        return 0;
    sbx_fail(err, SBX_E_POLICY, 0, "%s is uid 0, which is never confined", entry->value);
    return sbx_entry_blame(entry, err);
}

int sbx_config_confines(const struct sbx_config *config, uid_t uid, const struct sbx_names *names,
                        bool *confined, struct sbx_err *err)
{
    const char *seen = NULL;
    int status = 0;
    *confined = false;
    if (!is_enabled(config))
        return 0;
    for (size_t i = 0; i < config->count; i++) {
        const struct sbx_entry *entry = &config->entries[i];
        struct sbx_err *place = status ? NULL : err; /* the first one is told */
        if (entry->key == SBX_KEY_ACCOUNTS_USER) {
            status |= match_user(entry, uid, names, &seen, place);
        } else if (entry->key == SBX_KEY_ACCOUNTS_GROUP) {
            int answer = names->in_group(names->data, uid, entry->value);
            *confined = *confined || answer > 0;
            if (answer < 0) {
                sbx_fail(place, SBX_E_SYSTEM, 0, "the group %s cannot be looked up", entry->value);
                status |= sbx_entry_blame(entry, place);
            }
        }
    }
    *confined = *confined || seen;
    return status;
}

static bool has_word(const char *words, const char *word)
{
    size_t word_len = strlen(word), len = 0;
    for (const char *at = words; *at; at += len + (at[len] == '|')) {
        len = strcspn(at, "|");
        if (len == word_len && !memcmp(at, word, len))
            return true;
    }
    return false;
}

bool sbx_config_serves(const struct sbx_config *config, const char *service)
{
    if (!*service)
        return false;
    if (has_word(sbx_key_table[SBX_KEY_ACCOUNTS_SERVICE].fallback, service))
        return true;
    for (size_t i = 0; i < config->count; i++)
        if (config->entries[i].key == SBX_KEY_ACCOUNTS_SERVICE &&
            !strcmp(config->entries[i].value, service))
            return true;
    return false;
}

/* --- files of lower scopes -------------------------------------------------------------------- */
/* What outlives the caller's copy. */
static int keep_lower(struct sbx_config *config, const struct sbx_lower_file *file,
                      struct sbx_lower_file *own, struct sbx_err *err)
{
    *own = *file;
    own->label = sbx_arena_strndup(&config->arena, file->label, strlen(file->label));
    own->base = sbx_arena_strndup(&config->arena, file->base, strlen(file->base));
    if (!own->label || !own->base)
        return sbx_fail(err, SBX_E_MEMORY, 0, "%s: out of memory", file->label);
    return 0;
}

int sbx_config_read_lower(struct sbx_config *config, const struct sbx_lower_file *file,
                          const char *bytes, size_t len, const struct sbx_reporter *reporter,
                          struct sbx_err *err)
{
    struct sbx_telling telling = {.reporter = reporter, .err = err};
    struct sbx_lower_file own;
    if (keep_lower(config, file, &own, err))
        return -1;
    config->lower = &own;
    int status = sbx_config_parse(config, own.scope, own.label, bytes, len, &telling);
    config->lower = NULL;
    return status;
}

int sbx_config_each(const struct sbx_config *config,
                    int (*visit)(void *data, const struct sbx_config_setting *setting), void *data)
{
    int status = 0;
    for (size_t i = 0; i < config->count && !status; i++) {
        const struct sbx_entry *entry = &config->entries[i];
        const struct sbx_config_setting setting = {.key = entry->key,
                                                   .line = entry->line,
                                                   .column = entry->column,
                                                   .value_column = entry->value_column,
                                                   .command = entry->command,
                                                   .value = entry->value};
        status = visit(data, &setting);
    }
    return status;
}

int sbx_config_add_lower(struct sbx_config *config, const struct sbx_lower_file *file,
                         const struct sbx_config_setting *setting, struct sbx_err *err)
{
    if (setting->key >= SBX_KEY_COUNT)
        return sbx_fail(err, SBX_E_POLICY, 0, "%s: no key has the number %u", file->label,
                        setting->key);
    const struct sbx_key_row *row = &sbx_key_table[setting->key];
    bool is_command = !strcmp(row->section, "command");
    char section[64 + 256];
    struct sbx_entry entry = {.scope = file->scope,
                              .line = setting->line,
                              .column = setting->column,
                              .value_column = setting->value_column};
    const char *text = setting->value;
    if (is_command != (setting->command != NULL) || sbx_value_foul(text, strlen(text)) ||
        (is_command && sbx_value_foul(setting->command, strlen(setting->command))) ||
        snprintf(section, sizeof(section), "%s%s%s", row->section, is_command ? " " : "",
                 is_command ? setting->command : "") >= (int)sizeof(section))
        return sbx_fail(err, SBX_E_POLICY, 0, "%s:%u: a setting that no file can hold", file->label,
                        setting->line);
    if (understand(section, row->key, text, &entry, err))
        return sbx_err_prefix(err, "%s:%u: ", file->label, setting->line);
    struct sbx_lower_file own;
    if (keep_lower(config, file, &own, err))
        return -1;
    entry.file = own.label;
    config->lower = &own;
    int status = add_entry(config, &entry);
    config->lower = NULL;
    return status ? sbx_fail(err, SBX_E_LIMIT, 0, "%s: more settings than can be held", file->label)
                  : 0;
}
