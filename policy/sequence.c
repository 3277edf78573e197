/* {a..c} and {1..10..2}. */
#include "policy/judge_state.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define END_BYTES 16

static bool end_text(const struct sbx_word *word, char *out)
{
    const struct sbx_part *part = word ? word->parts : NULL;
    if (!part || part->next || !part->text || !part->text_len || part->text_len >= END_BYTES)
        return false;
    memcpy(out, part->text, part->text_len);
    out[part->text_len] = 0;
    return true;
}

static bool number(const char *text, long *out)
{
    char *end = NULL;
    *out = strtol(text, &end, 10);
    return !*end;
}

/* Leading zeros ask for numbers of one width. */
static int width_of(const char *from, const char *to)
{
    const char *ends[] = {from, to};
    bool zero = false;
    size_t width = 0;
    for (int i = 0; i < 2; i++) {
        const char *digits = ends[i] + (*ends[i] == '-' || *ends[i] == '+');
        zero |= digits[0] == '0' && digits[1];
        width = strlen(ends[i]) > width ? strlen(ends[i]) : width;
    }
    return zero ? (int)width : 0;
}

bool sbx_sequence_of(const struct sbx_part *part, struct sbx_sequence *out)
{
    char from[END_BYTES], to[END_BYTES], step[END_BYTES];
    const struct sbx_word *words = part->words;
    *out = (struct sbx_sequence){.step = 1};
    if (!words || !end_text(words, from) || !end_text(words->next, to))
        return false;
    if (words->next->next && (!end_text(words->next->next, step) || !number(step, &out->step)))
        return false;
    out->is_letters = isalpha((unsigned char)from[0]) && !from[1];
    if (out->is_letters) {
        /* Between the two cases lie other signs, some of which mean something again. */
        if (!isalpha((unsigned char)to[0]) || to[1] ||
            !isupper((unsigned char)from[0]) != !isupper((unsigned char)to[0]))
            return false;
        out->from = (unsigned char)from[0];
        out->to = (unsigned char)to[0];
    } else if (!number(from, &out->from) || !number(to, &out->to)) {
        return false;
    } else {
        out->width = width_of(from, to);
    }
    out->step = labs(out->step);
    if (!out->step)
        out->step = 1;
    return true;
}

int sbx_sequence_item(const struct sbx_sequence *sequence, long at, char *out, size_t size)
{
    long distance = labs(sequence->to - sequence->from);
    if (at > distance / sequence->step)
        return -1;
    long offset = at * sequence->step;
    long value = sequence->from <= sequence->to ? sequence->from + offset : sequence->from - offset;
    if (sequence->is_letters)
        return snprintf(out, size, "%c", (char)value);
    return snprintf(out, size, "%0*ld", sequence->width, value);
}
