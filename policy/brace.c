/* Braces come before everything else: each alternative gives a word of its own, made of copied parts. */
#include "policy/judge_state.h"

#include <string.h>

#define BRACES_MOST 64 /* of one word; past that it is not known what it becomes */

static const struct sbx_part *first_brace(const struct sbx_part *part)
{
    while (part && part->kind != SBX_PART_BRACE)
        part = part->next;
    return part;
}

/* Copies parts up to `end`; returns where the next one goes, or NULL without memory. */
static struct sbx_part **copy_parts(struct sbx_judge *j, const struct sbx_part *part,
                                    const struct sbx_part *end, struct sbx_part **to)
{
    for (; part != end; part = part->next) {
        struct sbx_part *copy = sbx_arena_alloc(&j->arena, sizeof(*copy));
        if (!copy) {
            j->no_memory = true;
            return NULL;
        }
        *copy = *part;
        copy->next = NULL;
        *to = copy;
        to = &copy->next;
    }
    return to;
}

static bool one_word(const struct sbx_braces *braces, const struct sbx_part *parts,
                     const struct sbx_part *brace, const struct sbx_part *inner, unsigned depth)
{
    struct sbx_part *chain = NULL, **end = copy_parts(braces->j, parts, brace, &chain);
    end = end ? copy_parts(braces->j, inner, NULL, end) : NULL;
    if (!end || !copy_parts(braces->j, brace->next, NULL, end))
        return false;
    return sbx_braces_expand(braces, chain, depth + 1);
}

static bool sequence_words(const struct sbx_braces *braces, const struct sbx_part *parts,
                           const struct sbx_part *brace, unsigned depth)
{
    struct sbx_sequence sequence;
    char item[24];
    if (!sbx_sequence_of(brace, &sequence) ||
        sbx_sequence_item(&sequence, SBX_JUDGE_FIELDS, item, sizeof(item)) >= 0)
        return false;
    for (long at = 0;; at++) {
        int len = sbx_sequence_item(&sequence, at, item, sizeof(item));
        if (len < 0)
            return true;
        struct sbx_part literal = {.kind = SBX_PART_LITERAL,
                                   .span = brace->span,
                                   .text = sbx_arena_strndup(&braces->j->arena, item, (size_t)len),
                                   .text_len = (size_t)len};
        if (!literal.text || !one_word(braces, parts, brace, &literal, depth))
            return false;
    }
}

bool sbx_braces_expand(const struct sbx_braces *braces, const struct sbx_part *parts,
                       unsigned depth)
{
    const struct sbx_part *brace = first_brace(parts);
    if (!brace)
        return braces->word(braces->data, parts);
    if (depth > BRACES_MOST)
        return false;
    if (brace->is_sequence)
        return sequence_words(braces, parts, brace, depth);
    for (const struct sbx_word *word = brace->words; word; word = word->next)
        if (!one_word(braces, parts, brace, word->parts, depth))
            return false;
    return true;
}

bool sbx_braces_hidden(const struct sbx_part *part)
{
    for (; part; part = part->next) {
        const struct sbx_word *word = part->param ? part->param->arg : NULL;
        for (const struct sbx_part *arg = word ? word->parts : NULL; arg; arg = arg->next)
            if (arg->text &&
                (memchr(arg->text, '{', arg->text_len) || memchr(arg->text, '}', arg->text_len)))
                return true;
        for (word = part->words; word; word = word->next)
            if (sbx_braces_hidden(word->parts))
                return true;
        if (sbx_braces_hidden(part->parts))
            return true;
    }
    return false;
}
