/* Assignments, and text whose quotes are taken out. */
#include "policy/shell_int.h"

#include <string.h>

/* Skips continuation lines. */
static uint32_t past_continuation(const struct sbx_lex *lex, uint32_t pos, uint32_t end)
{
    while (pos + 1 < end && lex->text[pos] == '\\' && lex->text[pos + 1] == '\n')
        pos += 2;
    return pos;
}

/* Behind the subscript whose "[" is at pos. */
static uint32_t subscript_end(struct sbx_parser *p, uint32_t pos, uint32_t end)
{
    struct sbx_builder inner = {.p = p,
                                .pos = pos + 1,
                                .end = end,
                                .flags = WORD_DQUOTE | WORD_OPERAND,
                                .stop = ']',
                                .nest_open = '[',
                                .nest_close = ']'};
    return sbx_sh_build(&inner) && inner.pos < end ? inner.pos + 1 : end;
}

struct sbx_assign *sbx_sh_assign_of(struct sbx_parser *p, const struct sbx_lexword *word)
{
    const struct sbx_lex *lex = &p->lex;
    struct sbx_assign *assign = sbx_sh_node(p, sizeof(*assign));
    if (!assign)
        return NULL;
    uint32_t pos = word->begin, end = word->end;
    assign->span = sbx_sh_span(p, word->begin, word->end);
    assign->name = word->raw;
    while (assign->name_len < word->raw_len &&
           sbx_sh_is((unsigned char)word->raw[assign->name_len], BYTE_NAME))
        assign->name_len++;
    for (size_t i = 0; i < assign->name_len; i++)
        pos = past_continuation(lex, pos, end) + 1;
    pos = past_continuation(lex, pos, end);
    if (pos < end && lex->text[pos] == '[') {
        uint32_t close = subscript_end(p, pos, end);
        assign->subscript = sbx_sh_word(p, pos + 1, close - 1, WORD_DQUOTE | WORD_OPERAND);
        if (!assign->subscript)
            return NULL;
        pos = past_continuation(lex, close, end);
    }
    if (pos < end && lex->text[pos] == '+') {
        assign->append = true;
        pos = past_continuation(lex, pos + 1, end);
    }
    pos = past_continuation(lex, pos + (pos < end), end);
    assign->is_array = word->is_array;
    assign->elements = word->elements;
    if (word->is_array)
        pos = word->array_end;
    if (pos < end)
        assign->value = sbx_sh_word(p, pos, end, WORD_VALUE);
    return pos < end && !assign->value ? NULL : assign;
}

const char *sbx_sh_unquote(struct sbx_parser *p, const char *raw, size_t len, size_t *out_len)
{
    char *copy = sbx_sh_bytes(p, len + 1);
    if (!copy)
        return NULL;
    size_t out = 0;
    char quote = 0;
    for (size_t i = 0; i < len; i++) {
        char byte = raw[i];
        if (!quote && byte == '$' && i + 1 < len && (raw[i + 1] == '\'' || raw[i + 1] == '"'))
            continue;
        if (quote ? byte == quote : byte == '\'' || byte == '"') {
            quote = quote ? 0 : byte;
            continue;
        }
        if (byte == '\\' && quote != '\'' && i + 1 < len &&
            (!quote || strchr("$`\"\\\n", raw[i + 1]))) {
            if (raw[++i] != '\n')
                copy[out++] = raw[i];
            continue;
        }
        copy[out++] = byte;
    }
    *out_len = out;
    return copy;
}
