#include "policy/keys.h"

#include <stdio.h>
#include <string.h>

#define ROW(id, section_, key_, type_, fallback_, values_, flags_)                                 \
    [SBX_KEY_##id] = {.section = section_,                                                         \
                      .key = key_,                                                                 \
                      .fallback = fallback_,                                                       \
                      .values = values_,                                                           \
                      .type = SBX_T_##type_,                                                       \
                      .flags = flags_},
const struct sbx_key_row sbx_key_table[SBX_KEY_COUNT] = {SBX_KEYS(ROW)};

enum sbx_key sbx_key_find(const char *section, const char *key)
{
    for (unsigned i = 0; i < SBX_KEY_COUNT; i++)
        if (!strcmp(sbx_key_table[i].key, key) && !strcmp(sbx_key_table[i].section, section))
            return (enum sbx_key)i;
    return SBX_KEY_COUNT;
}

bool sbx_key_has_section(const char *section)
{
    for (unsigned i = 0; i < SBX_KEY_COUNT; i++)
        if (!strcmp(sbx_key_table[i].section, section))
            return true;
    return false;
}

#define WORD_MAX 32

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edit distance with neighbours swapped as one step; case counts nothing. Three rows are enough. */
static size_t distance(const char *a, size_t alen, const char *b, size_t blen)
{
    size_t rows[3][WORD_MAX + 1];
    for (size_t j = 0; j <= blen; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= alen; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= blen; j++) {
            size_t cost = (a[i - 1] | 0x20) == (b[j - 1] | 0x20) ? 0 : 1;
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], higher[j - 2] + 1);
        }
    }
    return rows[alen % 3][blen];
}

void sbx_suggestion_try(struct sbx_suggestion *suggestion, const char *candidate, size_t len)
{
    size_t word_len = strlen(suggestion->word);
    if (word_len > WORD_MAX || len > WORD_MAX)
        return;
    size_t found = distance(suggestion->word, word_len, candidate, len);
    size_t bound = len <= 4 ? 1 : len / 3;
    bool is_start =
        word_len >= 3 && len > word_len && !memcmp(suggestion->word, candidate, word_len);
    if (is_start && found > bound) /* half a name: as good as a near miss */
        found = bound;
    if (found <= bound && (!suggestion->best || found < suggestion->distance)) {
        suggestion->best = candidate;
        suggestion->distance = found;
    }
}

void sbx_section_suggest(const char *section, char *out, size_t size)
{
    struct sbx_suggestion best = {.word = section};
    for (unsigned i = 0; i < SBX_KEY_COUNT; i++)
        sbx_suggestion_try(&best, sbx_key_table[i].section, strlen(sbx_key_table[i].section));
    if (best.best)
        (void)snprintf(out, size, " (did you mean [%s]?)", best.best);
    else
        (void)snprintf(out, size, " (man sbx-policy lists the sections)");
}

void sbx_key_suggest(const char *section, const char *key, char *out, size_t size)
{
    struct sbx_suggestion best = {.word = key};
    const char *elsewhere = NULL;
    for (unsigned i = 0; i < SBX_KEY_COUNT; i++) {
        const struct sbx_key_row *row = &sbx_key_table[i];
        if (!strcmp(row->section, section))
            sbx_suggestion_try(&best, row->key, strlen(row->key));
        else if (!strcmp(row->key, key) && !elsewhere)
            elsewhere = row->section;
    }
    if (best.best)
        (void)snprintf(out, size, " (did you mean %s?)", best.best);
    else if (elsewhere)
        (void)snprintf(out, size, " (it belongs in [%s])", elsewhere);
    else
        (void)snprintf(out, size, " (man sbx-policy lists the keys)");
}
