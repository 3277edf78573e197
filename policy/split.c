/* Where words end: IFS, and what in a value is a pattern. */
#include "policy/judge_state.h"

#include <string.h>

/* One of the values it may have: near enough to judge, no more. */
static const char *some_ifs(const struct sbx_judge *j)
{
    const struct sbx_var *ifs = sbx_var_find(j, "IFS", 3);
    for (const struct sbx_value *v = ifs ? ifs->values.first : NULL; v; v = v->next)
        if (sbx_value_known(v) && strcmp(v->text, " \t\n") != 0)
            return v->text;
    return NULL;
}

const char *sbx_ifs(const struct sbx_judge *j)
{
    const struct sbx_var *ifs = sbx_var_find(j, "IFS", 3);
    if (!ifs || ifs->is_unset)
        return " \t\n";
    const struct sbx_value *value = ifs->values.first;
    bool known = value && ifs->values.count == 1 && !ifs->is_array && !ifs->maybe_unset &&
                 !value->unsure && sbx_value_known(value);
    return known ? value->text : NULL;
}

/* The next field; what is known of where it came from stays. */
static void hand_over(const struct sbx_splitter *splitter, struct sbx_text *text)
{
    splitter->emit(splitter->data, text);
    *text = (struct sbx_text){.arena = text->arena,
                              .taint = text->taint,
                              .unsure = text->unsure,
                              .modelled = text->modelled};
}

static void put_piece(struct sbx_text *text, const struct sbx_value *value, uint32_t from,
                      uint32_t to)
{
    struct sbx_value piece = *value;
    piece.text = value->text + from;
    piece.mask = value->mask ? value->mask + from : NULL;
    piece.len = to - from;
    sbx_text_append(text, &piece);
}

void sbx_split(const struct sbx_splitter *splitter, struct sbx_text *text,
               const struct sbx_value *value)
{
    const char *ifs = sbx_ifs(splitter->j);
    uint32_t start = 0;
    bool after_blank = false; /* a blank has ended a field: a delimiter next to it ends no other */
    if (!ifs && (ifs = some_ifs(splitter->j)) != NULL)
        text->modelled = text->unsure = true;
    if (!ifs) {
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, value->taint);
        text->unsure |= value->unsure;
        return;
    }
    for (uint32_t i = 0; i <= value->len; i++) {
        bool cuts = i < value->len && sbx_value_mask(value, i) == SBX_MASK_LITERAL &&
                    value->text[i] && strchr(ifs, value->text[i]);
        if (i < value->len && !cuts)
            continue;
        put_piece(text, value, start, i);
        bool has_text = i > start;
        start = i + 1;
        if (i == value->len)
            break;
        after_blank = after_blank && !has_text;
        if (strchr(" \t\n", value->text[i])) {
            if (text->len || text->quoted) {
                hand_over(splitter, text);
                after_blank = true;
            }
        } else if (after_blank) {
            after_blank = false;
        } else {
            text->quoted = true; /* an empty field is one all the same */
            hand_over(splitter, text);
        }
    }
}

/* Text of a variable that is not quoted may be a glob: X='*'. */
void sbx_mark_globs(struct sbx_judge *j, struct sbx_value *value)
{
    char *mask = NULL;
    for (uint32_t i = 0; i < value->len; i++) {
        if (!strchr("*?[", value->text[i]) || !value->text[i] ||
            sbx_value_mask(value, i) != SBX_MASK_LITERAL)
            continue;
        if (!mask) {
            mask = sbx_arena_alloc(&j->arena, value->len + 1);
            if (!mask)
                return;
            if (value->mask)
                memcpy(mask, value->mask, value->len);
        }
        const char *end =
            value->text[i] == '[' ? memchr(value->text + i, ']', value->len - i) : NULL;
        mask[i] = SBX_MASK_GLOB;
        for (; end && value->text + i < end; i++)
            if (mask[i + 1] == SBX_MASK_LITERAL)
                mask[i + 1] = SBX_MASK_GLOB;
    }
    if (mask)
        value->mask = mask;
}
