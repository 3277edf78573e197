/* Rows of the table that policy adds: [command NAME], for tools of the house. Made when such a name is
 * met, in the judge's arena. */
#include <stdio.h>
#include <string.h>

#include "policy/command_policy.h"

#define FIXED_MAX     12
#define OPTIONS_BYTES 2048

struct making {
    char fixed[FIXED_MAX]; /* roles of the first operands, 0: none of its own */
    unsigned fixed_count;
    char rest, last;
    unsigned rest_from; /* 0-based */
    char options[OPTIONS_BYTES];
    size_t options_len;
};

/* The next word of a value, which blanks or commas part. */
static bool next_word(const char **at, const char **word, size_t *len)
{
    *word = *at + strspn(*at, " ,");
    *len = strcspn(*word, " ,");
    *at = *word + *len;
    return *len > 0;
}

static bool is_option(const char *word, size_t len)
{
    return len > 1 && word[0] == '-' && !memchr(word, '=', len) && !memchr(word, ':', len) &&
           !memchr(word, '?', len);
}

/* 1 to FIXED_MAX, 0 for what is no number of an operand; *tail is what follows it. */
static unsigned position(const char *word, size_t len, size_t *tail)
{
    unsigned number = 0;
    size_t at = 0;
    for (; at < len && at < 2 && word[at] >= '0' && word[at] <= '9'; at++)
        number = number * 10 + (unsigned)(word[at] - '0');
    *tail = len - at;
    return word[0] != '0' && number <= FIXED_MAX ? number : 0;
}

int sbx_command_places_check(const char *value, struct sbx_err *err)
{
    const char *at = value, *word;
    for (size_t len, tail; next_word(&at, &word, &len);) {
        bool is_rest = len == 1 && *word == '*';
        bool is_last = len == 4 && !memcmp(word, "last", 4);
        if (is_rest || is_last || is_option(word, len))
            continue;
        unsigned number = position(word, len, &tail);
        if (!number || tail > 1 || (tail == 1 && word[len - 1] != '-'))
            return sbx_fail(
                err, SBX_E_POLICY, 0,
                "'%.*s' is no operand: write its number (1 to %u), 2- for the second and "
                "all after it, last, * for all, or an option such as --file",
                (int)len, word, FIXED_MAX);
    }
    return 0;
}

int sbx_command_options_check(const char *value, struct sbx_err *err)
{
    const char *at = value, *word;
    for (size_t len; next_word(&at, &word, &len);)
        if (!is_option(word, len))
            return sbx_fail(err, SBX_E_POLICY, 0,
                            "'%.*s' is no option: write its name alone, such as -f or --file",
                            (int)len, word);
    return 0;
}

static void add_option(struct making *making, const char *word, size_t len, char role)
{
    int put = snprintf(making->options + making->options_len, OPTIONS_BYTES - making->options_len,
                       "%s%.*s=%c", making->options_len ? " " : "", (int)len, word, role);
    if (put > 0 && (size_t)put < OPTIONS_BYTES - making->options_len)
        making->options_len += (size_t)put;
    else
        making->options[making->options_len] = '\0';
}

static void add_place(struct making *making, const char *word, size_t len, char role)
{
    size_t tail;
    if (is_option(word, len)) {
        add_option(making, word, len, role);
        return;
    }
    unsigned number = *word == '*' ? 1 : position(word, len, &tail);
    if (!number) {
        making->last = role;
    } else if (*word == '*' || word[len - 1] == '-') {
        making->rest = role;
        making->rest_from = number - 1;
    } else {
        making->fixed[number - 1] = role;
        if (making->fixed_count < number)
            making->fixed_count = number;
    }
}

/* The value behind "NAME " in an item of a list; NULL where it is another command's. */
static const char *value_of(const struct sbx_policy *policy, const struct sbx_item *item,
                            const char *name, size_t len)
{
    const char *text = sbx_policy_text(policy, item->text);
    return !strncmp(text, name, len) && text[len] == ' ' ? text + len + 1 : NULL;
}

static bool collect(struct making *making, const struct sbx_policy *policy, enum sbx_key key,
                    char role, const char *name, size_t len)
{
    uint32_t count = 0;
    bool found = false;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    for (uint32_t i = 0; i < count; i++) {
        const char *at = value_of(policy, &items[i], name, len), *word;
        found |= at != NULL;
        for (size_t word_len; at && next_word(&at, &word, &word_len);)
            add_place(making, word, word_len, role);
    }
    return found;
}

/* -1: not said. The last that says so counts. */
static int flag(const struct sbx_policy *policy, enum sbx_key key, const char *name, size_t len)
{
    uint32_t count = 0;
    int result = -1;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    for (uint32_t i = 0; i < count; i++) {
        const char *value = value_of(policy, &items[i], name, len);
        if (value)
            result = !strcmp(value, "yes");
    }
    return result;
}

/* Roles in the order of the table: those that are fixed, one that repeats, the last. */
static const char *operands_of(const struct making *making, bool is_wrapper,
                               struct sbx_arena *arena)
{
    char text[4 * (FIXED_MAX + 3)];
    size_t len = 0;
    unsigned fixed = making->fixed_count;
    if (making->rest && fixed < making->rest_from)
        fixed = making->rest_from;
    for (unsigned i = 0; i < fixed; i++) {
        char role = making->fixed[i]                         ? making->fixed[i]
                    : making->rest && i >= making->rest_from ? making->rest
                                                             : 'n';
        text[len++] = role;
        text[len++] = ' ';
    }
    if (is_wrapper) {
        text[len++] = 'C';
    } else {
        text[len++] = making->rest ? making->rest : 'n';
        text[len++] = '*';
        if (making->last) {
            text[len++] = ' ';
            text[len++] = making->last;
        }
    }
    return sbx_arena_strndup(arena, text, len);
}

static bool has_sections(const struct sbx_policy *policy)
{
    for (unsigned key = SBX_KEY_COMMAND_WRAPPER; key <= SBX_KEY_COMMAND_OPTIONS; key++)
        if (policy->setting[key].count)
            return true;
    return false;
}

const struct sbx_command_row *sbx_command_of_policy(const struct sbx_policy *policy,
                                                    struct sbx_arena *arena, const char *name,
                                                    size_t len)
{
    static const struct {
        enum sbx_key key;
        char role;
    } places[] = {
        {SBX_KEY_COMMAND_OPTIONS,  'n'},
        {SBX_KEY_COMMAND_READS,    'r'},
        {SBX_KEY_COMMAND_WRITES,   'w'},
        {SBX_KEY_COMMAND_DELETES,  'D'},
        {SBX_KEY_COMMAND_EXECUTES, 'x'},
        {SBX_KEY_COMMAND_CODE,     'c'},
    };
    if (!len || !has_sections(policy))
        return NULL;
    struct making making = {.fixed_count = 0};
    int wrapper = flag(policy, SBX_KEY_COMMAND_WRAPPER, name, len);
    int readonly = flag(policy, SBX_KEY_COMMAND_READONLY, name, len);
    bool found = wrapper >= 0 || readonly >= 0;
    /* Options with a role of their own first: of two words for one the first counts. */
    for (size_t i = sizeof(places) / sizeof(*places); i-- > 0;)
        found |= collect(&making, policy, places[i].key, places[i].role, name, len);
    struct sbx_command_row *row = found ? sbx_arena_alloc(arena, sizeof(*row)) : NULL;
    if (!row)
        return NULL;
    *row = (struct sbx_command_row){
        .names = sbx_arena_strndup(arena, name, len),
        .options = sbx_arena_strndup(arena, making.options, making.options_len),
        .operands = operands_of(&making, wrapper == 1, arena),
        .flags = (wrapper == 1 ? SBX_CMD_WRAPPER | SBX_CMD_STOP : 0u) |
                 (readonly == 1 ? SBX_CMD_READONLY : 0u),
    };
    return row->names && row->options && row->operands ? row : NULL;
}
