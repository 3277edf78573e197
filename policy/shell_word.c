/* The second pass: a word's parts. Nothing in here is a syntax error. */
#include "policy/shell_int.h"

#include <string.h>

#define WORD_QUOTED (WORD_DQUOTE | WORD_ARITH)

struct sbx_part *sbx_sh_part(struct sbx_builder *b, enum sbx_part_kind kind, uint32_t begin)
{
    struct sbx_part *part = sbx_sh_node(b->p, sizeof(*part));
    if (!part)
        return NULL;
    part->kind = kind;
    part->span = sbx_sh_span(b->p, begin, b->pos);
    *b->tail = part;
    b->tail = &part->next;
    return part;
}

/* Does a backslash in front of this byte go away? */
static bool escapes(const struct sbx_builder *b, char byte)
{
    if (byte == '\n' || !(b->flags & WORD_QUOTED) || (b->flags & WORD_INNER))
        return true;
    if (byte == '$' || byte == '`' || byte == '\\')
        return true;
    if (byte == '"')
        return !(b->flags & WORD_HEREDOC) || (b->flags & WORD_OPERAND);
    return byte == '}' && (b->flags & WORD_OPERAND);
}

static bool unescape(struct sbx_builder *b, struct sbx_part *part, uint32_t begin, uint32_t end)
{
    const char *text = b->p->lex.text;
    char *copy = sbx_sh_bytes(b->p, end - begin + 1);
    if (!copy)
        return false;
    size_t len = 0;
    for (uint32_t i = begin; i < end; i++) {
        if (text[i] == '\\' && i + 1 < end && escapes(b, text[i + 1])) {
            if (text[++i] != '\n')
                copy[len++] = text[i];
        } else {
            copy[len++] = text[i];
            if (text[i] == '\\' && i + 1 < end)
                copy[len++] = text[++i];
        }
    }
    part->text = copy;
    part->text_len = len;
    return true;
}

/* Takes continuation lines at pos: they are nothing, also in front of a ~. */
static void skip_continuation(struct sbx_builder *b)
{
    const char *text = b->p->lex.text;
    while (b->pos + 1 < b->end && text[b->pos] == '\\' && text[b->pos + 1] == '\n') {
        b->is_escaped = true;
        b->pos += 2;
    }
}

static bool is_nothing(const struct sbx_builder *b, uint32_t begin, uint32_t end)
{
    const char *text = b->p->lex.text;
    while (begin + 1 < end && text[begin] == '\\' && text[begin + 1] == '\n')
        begin += 2;
    return begin == end;
}

/* The plain bytes up to `until` become a part. */
bool sbx_sh_flush(struct sbx_builder *b, uint32_t until)
{
    if (b->literal >= until)
        return true;
    if (b->is_escaped && is_nothing(b, b->literal, until)) {
        b->is_escaped = false;
        b->literal = until;
        return true;
    }
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_LITERAL, b->literal);
    if (!part)
        return false;
    part->span = sbx_sh_span(b->p, b->literal, until);
    part->text = b->p->lex.text + b->literal;
    part->text_len = until - b->literal;
    if (b->is_escaped && !unescape(b, part, b->literal, until))
        return false;
    b->is_escaped = false;
    b->literal = until;
    return true;
}

static bool single_quoted(struct sbx_builder *b)
{
    const char *text = b->p->lex.text;
    uint32_t begin = b->pos;
    if (!sbx_sh_flush(b, begin))
        return false;
    const char *close = memchr(text + begin + 1, '\'', b->end - begin - 1);
    uint32_t end = close ? (uint32_t)(close - text) : b->end;
    b->pos = close ? end + 1 : end;
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_SINGLE, begin);
    if (!part)
        return false;
    part->text = text + begin + 1;
    part->text_len = end - begin - 1;
    b->literal = b->pos;
    return true;
}

/* pos is at the quote; `begin` at the $ of $"..." or at the quote. */
bool sbx_sh_double(struct sbx_builder *b, uint32_t begin)
{
    bool is_inner = (b->flags & WORD_DQUOTE) && (b->flags & WORD_OPERAND);
    struct sbx_builder inner = {.p = b->p,
                                .pos = b->pos + 1,
                                .end = b->end,
                                .flags = WORD_DQUOTE | (is_inner ? WORD_INNER : 0),
                                .stop = '"'};
    b->saw_inner |= is_inner;
    if (!sbx_sh_flush(b, begin) || !sbx_sh_enter(b->p))
        return false;
    bool is_ok = sbx_sh_build(&inner);
    b->p->depth--;
    b->pos = inner.pos < inner.end ? inner.pos + 1 : inner.end;
    struct sbx_part *part = is_ok ? sbx_sh_part(b, SBX_PART_DOUBLE, begin) : NULL;
    if (!part)
        return false;
    part->parts = inner.head;
    part->op = begin != b->pos && b->p->lex.text[begin] == '$' ? '$' : 0;
    b->literal = b->pos;
    return true;
}

static bool glob(struct sbx_builder *b)
{
    const char *text = b->p->lex.text;
    uint32_t begin = b->pos;
    if (!sbx_sh_flush(b, begin))
        return false;
    while (b->pos < b->end && (text[b->pos] == '*' || text[b->pos] == '?')) {
        bool is_extglob =
            (b->flags & WORD_EXTGLOB) && b->pos + 1 < b->end && text[b->pos + 1] == '(';
        if (is_extglob)
            break;
        b->pos++;
    }
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_GLOB, begin);
    if (!part)
        return false;
    part->text = text + begin;
    part->text_len = b->pos - begin;
    b->literal = b->pos;
    return true;
}

/* A byte of brace expansion: a mark for sbx_sh_braces(), which runs when the word is whole. */
static bool brace_mark(struct sbx_builder *b)
{
    const char *text = b->p->lex.text;
    if (!sbx_sh_flush(b, b->pos))
        return false;
    b->pos++;
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_LITERAL, b->pos - 1);
    if (!part)
        return false;
    part->text = text + b->pos - 1;
    part->text_len = 1;
    part->op = *part->text;
    b->literal = b->pos;
    b->has_brace = true;
    return true;
}

static bool tilde_here(const struct sbx_builder *b, char before)
{
    if (b->pos >= b->end || b->p->lex.text[b->pos] != '~')
        return false;
    if (before == '=')
        return (b->flags & WORD_ASSIGN) && b->is_assignment && !b->saw_equals;
    if (before == ':')
        return (b->flags & WORD_COLON) ||
               ((b->flags & WORD_ASSIGN) && b->is_assignment && b->saw_equals);
    return before == 0 && (b->flags & WORD_TILDE);
}

/* Bytes that matter only now and then. True with *is_done where the byte was taken. */
static bool soft_byte(struct sbx_builder *b, char byte, bool *is_done)
{
    const char *text = b->p->lex.text;
    bool is_ext = (b->flags & WORD_EXTGLOB) && b->pos + 1 < b->end && text[b->pos + 1] == '(';
    *is_done = true;
    if (is_ext && strchr("@!+?*", byte))
        return sbx_sh_extglob(b);
    if ((b->flags & WORD_BRACES) &&
        (byte == '{' || (b->has_brace && (byte == ',' || byte == '}')))) {
        if (!brace_mark(b))
            return false;
        skip_continuation(b);
        /* Whether a ~ begins a word is known when the braces are. */
        bool is_tilde = byte != '}' && b->pos < b->end && text[b->pos] == '~';
        return is_tilde ? brace_mark(b) : true;
    }
    if (byte == '=' || byte == ':') {
        b->pos++;
        skip_continuation(b);
        bool is_tilde = tilde_here(b, byte);
        b->saw_equals |= byte == '=';
        return is_tilde ? sbx_sh_tilde(b) : true;
    }
    *is_done = false;
    return true;
}

/* Unquoted. True where the byte was taken or is plain (*is_plain). */
static bool unquoted(struct sbx_builder *b, char byte, bool *is_plain)
{
    bool is_done = false;
    if (!soft_byte(b, byte, &is_done) || is_done)
        return !is_done ? false : b->p->status == SBX_PARSE_OK;
    switch (byte) {
    case '\'':
        return single_quoted(b);
    case '"':
        return sbx_sh_double(b, b->pos);
    case '<':
    case '>':
        if (b->pos + 1 < b->end && b->p->lex.text[b->pos + 1] == '(')
            return sbx_sh_process(b);
        break;
    case '*':
    case '?':
        if (b->flags & WORD_GLOB)
            return glob(b);
        break;
    case '[':
        if (b->flags & WORD_GLOB)
            return sbx_sh_bracket(b);
        break;
    default:
        break;
    }
    *is_plain = true;
    return true;
}

/* Inside "...", a here-document, arithmetic. */
static bool quoted(struct sbx_builder *b, char byte, bool *is_plain)
{
    const char *text = b->p->lex.text;
    if (byte == '"' && (b->flags & (WORD_ARITH | WORD_OPERAND)))
        return sbx_sh_double(b, b->pos);
    if (byte == '\'' && (b->flags & WORD_OPERAND)) {
        /* "${x:-'}'}": the quotes are bytes like others, yet they hide what would end the operand. */
        const char *close = memchr(text + b->pos + 1, '\'', b->end - b->pos - 1);
        uint32_t end = close ? (uint32_t)(close - text) : b->pos;
        for (b->pos++; b->pos < end;) {
            if (text[b->pos] != '$' && text[b->pos] != '`') {
                b->pos++;
                continue;
            }
            if (!(text[b->pos] == '$' ? sbx_sh_dollar(b) : sbx_sh_backquote(b)))
                return false;
        }
        if (b->pos == end && close)
            b->pos++;
        return true;
    }
    *is_plain = true;
    return true;
}

/* Does the text end here? Counts the brackets that hide an end. */
static bool at_stop(struct sbx_builder *b, char byte)
{
    if (b->nest_open && byte == b->nest_close && b->nested) {
        b->nested--;
        return false;
    }
    if (byte == b->stop)
        return true;
    if (byte == b->stop2 && b->ternaries && !b->nested) {
        b->ternaries--;
        return false;
    }
    if (byte == b->stop2)
        return !b->nested && b->pos >= b->no_stop_before;
    b->nested += b->nest_open && byte == b->nest_open;
    b->ternaries += b->nest_open == '(' && byte == '?' && !b->nested;
    return false;
}

static bool build_step(struct sbx_builder *b, char byte)
{
    bool is_plain = false, is_ok;
    if (byte == '\\') {
        b->is_escaped |= b->pos + 1 < b->end;
        b->pos += b->pos + 1 < b->end ? 2 : 1;
        return true;
    }
    if (byte == '$')
        is_ok = sbx_sh_dollar(b);
    else if (byte == '`')
        is_ok = sbx_sh_backquote(b);
    else
        is_ok = b->flags & WORD_QUOTED ? quoted(b, byte, &is_plain) : unquoted(b, byte, &is_plain);
    if (is_plain)
        b->pos++;
    return is_ok;
}

bool sbx_sh_build(struct sbx_builder *b)
{
    const char *text = b->p->lex.text;
    b->tail = &b->head;
    b->begin = b->literal = b->pos;
    b->no_bracket = b->pos;
    skip_continuation(b);
    if (tilde_here(b, 0) && !sbx_sh_tilde(b))
        return false;
    while (b->pos < b->end) {
        char byte = text[b->pos];
        int class = sbx_sh_bytes_table[(unsigned char)byte];
        bool is_dull = b->flags & WORD_QUOTED ? !(class & BYTE_DQUOTE)
                                              : (class & (BYTE_PLAIN | BYTE_SOFT)) == BYTE_PLAIN;
        if (is_dull && !b->nest_open && byte != b->stop && byte != b->stop2) {
            b->pos++;
            continue;
        }
        if (at_stop(b, byte))
            break;
        if (!build_step(b, byte))
            return false;
    }
    if (!sbx_sh_flush(b, b->pos < b->end ? b->pos : b->end))
        return false;
    return !b->has_brace || sbx_sh_braces(b, &b->head);
}

struct sbx_word *sbx_sh_word(struct sbx_parser *p, uint32_t begin, uint32_t end, unsigned flags)
{
    struct sbx_word *word = sbx_sh_node(p, sizeof(*word));
    if (!word)
        return NULL;
    struct sbx_builder b = {.p = p, .pos = begin, .end = end, .flags = flags};
    word->span = sbx_sh_span(p, begin, end);
    if (flags == WORD_ARITH) {
        struct sbx_builder inner = b;
        if (!sbx_sh_build(&inner))
            return NULL;
        b.pos = end;
        b.tail = &b.head;
        struct sbx_part *part = sbx_sh_part(&b, SBX_PART_ARITH, begin);
        if (!part)
            return NULL;
        part->parts = inner.head;
    } else if (!sbx_sh_build(&b)) {
        return NULL;
    }
    word->parts = b.head;
    return word;
}

struct sbx_word *sbx_sh_literal(struct sbx_parser *p, const struct sbx_lexword *from)
{
    struct sbx_word *word = sbx_sh_node(p, sizeof(*word));
    if (!word)
        return NULL;
    word->span = sbx_sh_span(p, from->begin, from->end);
    if (!from->raw_len)
        return word;
    struct sbx_part *part = sbx_sh_node(p, sizeof(*part));
    if (!part)
        return NULL;
    *part = (struct sbx_part){
        .kind = SBX_PART_LITERAL, .span = word->span, .text = from->raw, .text_len = from->raw_len};
    word->parts = part;
    return word;
}

struct sbx_word *sbx_sh_word_of(struct sbx_parser *p, const struct sbx_lexword *from,
                                unsigned flags)
{
    if (from->is_plain)
        return sbx_sh_literal(p, from);
    struct sbx_word *word = sbx_sh_node(p, sizeof(*word));
    if (!word)
        return NULL;
    if (p->lex.flags & LEX_EXTGLOB && flags & WORD_GLOB)
        flags |= WORD_EXTGLOB;
    struct sbx_builder b = {.p = p,
                            .pos = from->begin,
                            .end = from->end,
                            .flags = flags,
                            .is_assignment = from->is_assignment};
    word->span = sbx_sh_span(p, from->begin, from->end);
    if (!sbx_sh_build(&b))
        return NULL;
    word->parts = b.head;
    return word;
}
