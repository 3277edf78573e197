/* Does a command that was foretold cover one that bash started? */
#include "tests/conformance/argv.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "policy/known.h"

#define STEPS_MOST 2000000 /* of one comparison; past that it counts as unknown */
#define RUN_BYTES  65536

static bool has(const struct argv_word *word, enum sbx_mask mask)
{
    return word->len && memchr(word->mask, (int)mask, word->len);
}

static bool has_unknown(const struct argv_word *word)
{
    return has(word, SBX_MASK_UNKNOWN) || has(word, SBX_MASK_NONEMPTY);
}

/* Known bytes are themselves, everything else is any run of bytes; ends of words among them, since an
 * unknown text may be split. */
static bool covers(const struct argv_word *word, uint32_t at, const char *text, size_t len)
{
    uint32_t star = UINT32_MAX;
    size_t resume = 0, i = 0;
    for (;;) {
        if (at < word->len && word->mask[at] != SBX_MASK_LITERAL) {
            star = at++;
            resume = i;
        } else if (i < len && at < word->len && word->text[at] == text[i]) {
            at++;
            i++;
        } else if (i == len && at == word->len) {
            return true;
        } else if (star == UINT32_MAX || resume >= len) {
            return false;
        } else {
            at = star + 1;
            i = ++resume;
        }
    }
}

/* How many words the unknown one may stand for. */
static bool covers_run(const struct argv_word *word, char *const *argv, uint32_t count)
{
    char run[RUN_BYTES];
    size_t len = 0;
    if (!count)
        return !word->quoted && covers(word, 0, "", 0);
    for (uint32_t i = 0; i < count; i++) {
        size_t more = strlen(argv[i]);
        if (len + more + 1 > sizeof(run))
            return true; /* too long to tell */
        memcpy(run + len, argv[i], more);
        len += more;
        run[len++] = 0;
    }
    return covers(word, 0, run, len - 1);
}

/* A pattern gives names of files, or where there is none itself without its quotes. */
static bool glob_covers(const struct argv_word *word, const char *text)
{
    char *pattern = malloc(2 * (size_t)word->len + 1), *itself = malloc((size_t)word->len + 1);
    size_t to = 0, plain = 0;
    bool found = true;
    for (uint32_t i = 0; pattern && itself && i < word->len; i++) {
        bool escape = word->mask[i] == SBX_MASK_GLOB && word->text[i] == '\\';
        if (word->mask[i] == SBX_MASK_LITERAL && !strchr("/.", word->text[i]))
            pattern[to++] = '\\';
        pattern[to++] = word->text[i];
        if (!escape)
            itself[plain++] = word->text[i];
    }
    if (pattern && itself) {
        pattern[to] = itself[plain] = 0;
        found = !strcmp(itself, text) || !fnmatch(pattern, text, FNM_CASEFOLD);
    }
    free(pattern);
    free(itself);
    return found;
}

static unsigned char worse(unsigned char a, enum argv_rank b)
{
    return a > (unsigned char)b ? a : (unsigned char)b;
}

static void better(unsigned char *cell, unsigned char rank)
{
    if (rank < *cell)
        *cell = rank;
}

/* Values that one word of the text may have are a set: any of them, in any order, any number of times. */
static unsigned char group_cell(const struct argv_word *word, const struct argv_word *end,
                                char *const *argv, uint32_t argc, uint32_t k,
                                const unsigned char *below, const unsigned char *row)
{
    unsigned char best = worse(below[k], ARGV_ONE_OF);
    for (; word < end && k < argc; word++) {
        enum argv_rank rank = ARGV_WRONG;
        for (uint32_t run = 2; has_unknown(word) && k + run <= argc && best > ARGV_UNKNOWN; run++)
            if (row[k + run] != ARGV_WRONG && covers_run(word, argv + k, run))
                better(&best, worse(row[k + run], ARGV_UNKNOWN));
        if (has_unknown(word))
            rank = covers_run(word, argv + k, 1) ? ARGV_UNKNOWN : ARGV_WRONG;
        else if (has(word, SBX_MASK_GLOB))
            rank = glob_covers(word, argv[k]) ? ARGV_GLOB : ARGV_WRONG;
        else if (strlen(argv[k]) == word->len && !memcmp(argv[k], word->text, word->len))
            rank = ARGV_ONE_OF;
        if (rank != ARGV_WRONG)
            better(&best, worse(row[k + 1], rank));
    }
    return best;
}

/* Cell [k] of `row` from the row below, of the words that follow. */
static unsigned char cell(const struct argv_word *word, char *const *argv, uint32_t argc,
                          uint32_t k, const unsigned char *below, const unsigned char *row)
{
    unsigned char best = ARGV_WRONG;
    if (has_unknown(word)) {
        for (uint32_t run = 0; k + run <= argc && best > ARGV_UNKNOWN; run++)
            if (below[k + run] != ARGV_WRONG && covers_run(word, argv + k, run))
                better(&best, worse(below[k + run], ARGV_UNKNOWN));
    } else if (k < argc && has(word, SBX_MASK_GLOB)) {
        if (glob_covers(word, argv[k])) {
            better(&best, worse(below[k + 1], ARGV_GLOB));
            better(&best, row[k + 1]); /* another name of the same pattern */
        }
    } else if (k < argc && strlen(argv[k]) == strnlen(word->text, word->len) &&
               !memcmp(argv[k], word->text, strlen(argv[k]))) {
        better(&best, below[k + 1]);
    }
    return best;
}

enum argv_rank argv_match(const struct argv_command *command, char *const *argv, uint32_t argc)
{
    size_t width = (size_t)argc + 1;
    bool open = false;
    for (uint32_t i = 0; i < command->count; i++)
        open |= command->word[i].unsure || has_unknown(&command->word[i]);
    if (width * (open ? width : 1) * (command->count + 1) > STEPS_MOST)
        return ARGV_UNKNOWN;
    unsigned char *below = malloc(width), *row = malloc(width);
    enum argv_rank rank = ARGV_UNKNOWN;
    if (below && row) {
        memset(below, ARGV_WRONG, width);
        below[argc] = ARGV_EXACT;
        for (uint32_t i = command->count; i--;) {
            uint32_t end = i + 1;
            while (i && command->word[i].unsure && command->word[i - 1].unsure &&
                   command->word[i].span == command->word[i - 1].span)
                i--;
            const struct argv_word *word = &command->word[i];
            for (uint32_t k = argc + 1; k--;)
                row[k] = word->unsure
                             ? group_cell(word, command->word + end, argv, argc, k, below, row)
                             : cell(word, argv, argc, k, below, row);
            unsigned char *swap = below;
            below = row;
            row = swap;
        }
        rank = (enum argv_rank)below[0];
    }
    free(below);
    free(row);
    return rank;
}
