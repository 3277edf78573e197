#include "policy/alias.h"

#include <string.h>

/* bash has no alias whose name holds one of these. */
static const char never[] = " \t\n()<>;&|'\"\\`$/";

static uint32_t hash_of(const char *name, size_t len)
{
    uint32_t value = 5381;
    for (size_t i = 0; i < len; i++)
        value = value * 33 + (unsigned char)name[i];
    return value;
}

static struct sbx_alias *find(const struct sbx_aliases *table, const char *name, size_t len)
{
    uint32_t hash = hash_of(name, len);
    struct sbx_alias *alias = table->bucket[hash % SBX_ALIAS_BUCKETS];
    while (alias &&
           (alias->hash != hash || alias->name_len != len || memcmp(alias->name, name, len) != 0))
        alias = alias->next;
    return alias;
}

const struct sbx_alias *sbx_alias_find(const struct sbx_aliases *table, const char *name,
                                       size_t len)
{
    return find(table, name, len);
}

/* bash asks for aliases before it asks for reserved words, and in an order of its own for some. */
static bool is_reserved(const char *name, size_t len)
{
    static const char *const words[] = {"if",   "then", "else",   "elif",  "fi",       "case",
                                        "esac", "for",  "select", "while", "until",    "do",
                                        "done", "in",   "time",   "{",     "}",        "!",
                                        "[[",   "]]",   "coproc", "-p",    "function", "--"};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strlen(words[i]) == len && !memcmp(words[i], name, len))
            return true;
    return false;
}

/* Where a line ends within a value bash takes the bodies of here-documents, and joined lines, from
 * behind the line that was typed; a backslash at its end quotes what follows. */
static bool is_odd(const struct sbx_alias *alias)
{
    const char *value = alias->value;
    size_t len = alias->value_len;
    return is_reserved(alias->name, alias->name_len) || (len && value[len - 1] == '\\') ||
           memmem(value, len, "\\\n", 2) ||
           (memchr(value, '\n', len) && memmem(value, len, "<<", 2)) || memchr(value, '\0', len);
}

bool sbx_alias_set(struct sbx_arena *arena, struct sbx_aliases *table, const char *name,
                   size_t name_len, const char *value, size_t value_len)
{
    if (!name_len || name_len > SBX_ALIASES_MAX_BYTES || value_len > SBX_ALIASES_MAX_BYTES)
        return false;
    for (size_t i = 0; i < name_len; i++)
        if (memchr(never, name[i], sizeof(never))) /* NUL too */
            return false;
    struct sbx_alias *alias = find(table, name, name_len);
    if (!alias) {
        if (table->count >= SBX_ALIASES_MAX || !(alias = sbx_arena_alloc(arena, sizeof(*alias))))
            return false;
        table->count++;
        alias->name = name;
        alias->name_len = (uint32_t)name_len;
        alias->hash = hash_of(name, name_len);
        alias->next = table->bucket[alias->hash % SBX_ALIAS_BUCKETS];
        table->bucket[alias->hash % SBX_ALIAS_BUCKETS] = alias;
    }
    alias->value = value;
    alias->value_len = (uint32_t)value_len;
    alias->is_odd = is_odd(alias);
    return true;
}

void sbx_alias_remove(struct sbx_aliases *table, const char *name, size_t len)
{
    struct sbx_alias *alias = find(table, name, len);
    if (!alias)
        return;
    struct sbx_alias **at = &table->bucket[alias->hash % SBX_ALIAS_BUCKETS];
    while (*at != alias)
        at = &(*at)->next;
    *at = alias->next;
    table->count--;
}

/* 'text'\''text' and a newline, its quotes taken out into *to, which is moved. Returns where the next line
 * begins, NULL where it is something else. */
static const char *read_value(const char *at, char **to)
{
    do {
        if (at[0] == '\\' && at[1] == '\'') {
            *(*to)++ = '\'';
            at += 2;
            continue;
        }
        const char *close = *at == '\'' ? strchr(at + 1, '\'') : NULL;
        if (!close)
            return NULL;
        size_t len = (size_t)(close - at - 1);
        memcpy(*to, at + 1, len);
        *to += len;
        at = close + 1;
    } while (*at != '\n');
    return at + 1;
}

bool sbx_aliases_read(struct sbx_arena *arena, const char *text, struct sbx_aliases *table)
{
    static const char word[] = "alias ", dashes[] = "-- ";
    memset(table, 0, sizeof(*table));
    size_t size = strnlen(text, SBX_ALIASES_MAX_BYTES);
    const char *copy = sbx_arena_strndup(arena, text, size);
    char *to = sbx_arena_alloc(arena, size + 1);
    if (size >= SBX_ALIASES_MAX_BYTES || !copy || !to)
        return false;
    while (*copy) {
        if (strncmp(copy, word, sizeof(word) - 1) != 0)
            return false;
        copy += sizeof(word) - 1;
        if (!strncmp(copy, dashes, sizeof(dashes) - 1))
            copy += sizeof(dashes) - 1;
        /* No name holds a quote or a backslash, some hold "=". */
        const char *name = copy, *value = to, *quote = strpbrk(copy, "'\\");
        if (!quote || quote == copy || quote[-1] != '=' || !(copy = read_value(quote, &to)) ||
            !sbx_alias_set(arena, table, name, (size_t)(quote - 1 - name), value,
                           (size_t)(to - value)))
            return false;
    }
    return true;
}

bool sbx_aliases_check(const char *text)
{
    struct sbx_arena arena;
    struct sbx_aliases table;
    sbx_arena_init(&arena,
                   8 * SBX_ALIASES_MAX_BYTES + SBX_ALIASES_MAX * 2 * sizeof(struct sbx_alias));
    bool is_ok = sbx_aliases_read(&arena, text, &table);
    sbx_arena_free(&arena);
    return is_ok;
}
