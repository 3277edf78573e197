/* ${...} */
#include "policy/shell_int.h"

#include <string.h>

/* Where ${...} is looked at: pos moves from behind the "{" to behind the "}". */
struct braced {
    struct sbx_builder *b;
    struct sbx_param *param;
    uint32_t begin;
    bool saw_inner;
};

static char byte_at(const struct braced *v, uint32_t offset)
{
    const struct sbx_builder *b = v->b;
    return b->end - b->pos > offset ? b->p->lex.text[b->pos + offset] : '\0';
}

/* Length of the parameter's name at the given place: x, 10, @. */
static uint32_t name_at(const struct sbx_builder *b, uint32_t pos)
{
    const char *text = b->p->lex.text;
    uint32_t end = pos;
    if (pos >= b->end)
        return 0;
    unsigned char first = (unsigned char)text[pos];
    if (sbx_sh_is(first, BYTE_SPECIAL))
        return 1;
    int class = sbx_sh_is(first, BYTE_DIGIT) ? BYTE_DIGIT : BYTE_NAME;
    while (end < b->end && sbx_sh_is((unsigned char)text[end], class))
        end++;
    return end - pos;
}

/* An operand up to the closing brace or another stop byte. */
static struct sbx_word *operand(struct braced *v, struct sbx_builder inner)
{
    struct sbx_parser *p = v->b->p;
    struct sbx_word *word = sbx_sh_node(p, sizeof(*word));
    uint32_t begin = v->b->pos;
    inner.p = p;
    inner.pos = begin;
    inner.end = v->b->end;
    if (!word || !sbx_sh_build(&inner))
        return NULL;
    v->b->pos = inner.pos;
    v->saw_inner |= inner.saw_inner;
    word->span = sbx_sh_span(p, begin, inner.pos);
    word->parts = inner.head;
    return word;
}

/* Operands keep the quoting that the whole stands in; patterns have their own. */
static unsigned value_flags(const struct sbx_builder *b)
{
    if (b->flags & (WORD_DQUOTE | WORD_ARITH))
        return WORD_DQUOTE | WORD_OPERAND | (b->flags & WORD_HEREDOC);
    return WORD_OPERAND | WORD_TILDE | (b->flags & (WORD_GLOB | WORD_EXTGLOB));
}

static unsigned pattern_flags(const struct sbx_builder *b)
{
    return WORD_OPERAND | WORD_TILDE | WORD_GLOB | (b->flags & WORD_EXTGLOB);
}

static bool subscript(struct braced *v)
{
    struct sbx_builder inner = {.flags = WORD_DQUOTE | WORD_OPERAND,
                                .stop = ']',
                                .stop2 = '}',
                                .nest_open = '[',
                                .nest_close = ']'};
    v->b->pos++;
    v->param->subscript = operand(v, inner);
    return v->param->subscript != NULL;
}

/* Name, "!" and "#" in front, subscript. False: past a limit. *is_bad: no valid form. */
static bool head(struct braced *v, bool *is_bad)
{
    struct sbx_builder *b = v->b;
    struct sbx_param *param = v->param;
    char first = byte_at(v, 0), second = byte_at(v, 1);
    uint32_t ahead = name_at(b, b->pos + 1);
    char behind = byte_at(v, 1 + ahead);
    if (first == '#' && ahead &&
        (behind == '}' || (behind == '[' && !sbx_sh_is((unsigned char)second, BYTE_SPECIAL)))) {
        param->length = true;
        b->pos++;
    } else if (first == '!' && ahead &&
               (!sbx_sh_is((unsigned char)second, BYTE_SPECIAL) || behind == '}' || second == '@' ||
                second == '*' || second == '#' || second == '!')) {
        param->indirect = true;
        b->pos++;
    }
    uint32_t len = name_at(b, b->pos);
    param->name = b->p->lex.text + b->pos;
    param->name_len = len;
    *is_bad = len == 0;
    b->pos += len;
    if (byte_at(v, 0) == '[' && len) {
        if (!subscript(v))
            return false;
        *is_bad = byte_at(v, 0) != ']';
        b->pos += !*is_bad;
    }
    return true;
}

/* The operator at pos, consumed; NULL where there is none. */
static const char *operator_at(struct braced *v)
{
    static const char *const operators[] = {":-", ":=", ":?", ":+", "-",  "=",  "?",  "+",
                                            "##", "#",  "%%", "%",  "//", "/#", "/%", "/",
                                            "^^", "^",  ",,", ",",  ":",  "@"};
    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
        const char *op = operators[i];
        if (byte_at(v, 0) != op[0] || (op[1] && byte_at(v, 1) != op[1]))
            continue;
        v->b->pos += (uint32_t)strlen(op);
        return op;
    }
    return NULL;
}

static bool slice(struct braced *v)
{
    struct sbx_builder inner = {
        .flags = WORD_ARITH, .stop = '}', .stop2 = ':', .nest_open = '(', .nest_close = ')'};
    if (!(v->param->arg = operand(v, inner)))
        return false;
    if (byte_at(v, 0) != ':')
        return true;
    v->b->pos++;
    inner = (struct sbx_builder){.flags = WORD_ARITH, .stop = '}'};
    v->param->arg2 = operand(v, inner);
    return v->param->arg2 != NULL;
}

static bool replacement(struct braced *v)
{
    struct sbx_builder *b = v->b;
    /* ${x//…} : its pattern may begin with a slash; that of ${x/#…} may be empty instead. */
    bool anchored = v->param->op[1] == '#' || v->param->op[1] == '%';
    struct sbx_builder inner = {
        .flags = pattern_flags(b), .stop = '}', .stop2 = '/', .no_stop_before = b->pos + !anchored};
    if (!(v->param->arg = operand(v, inner)))
        return false;
    if (byte_at(v, 0) != '/')
        return true;
    b->pos++;
    inner = (struct sbx_builder){.flags = (pattern_flags(b) & ~(WORD_GLOB | WORD_EXTGLOB)),
                                 .stop = '}'};
    v->param->arg2 = operand(v, inner);
    return v->param->arg2 != NULL;
}

/* Operator and operands. False: past a limit. */
static bool tail(struct braced *v, bool *is_bad)
{
    struct sbx_param *param = v->param;
    struct sbx_builder value = {.flags = value_flags(v->b), .stop = '}'};
    struct sbx_builder pattern = {.flags = pattern_flags(v->b), .stop = '}'};
    char first = byte_at(v, 0);
    param->op = "";
    if (first == '}')
        return true;
    if (param->indirect && !param->subscript && (first == '*' || first == '@') &&
        byte_at(v, 1) == '}') {
        param->prefix_list = true;
        v->b->pos++;
        return true;
    }
    const char *op = operator_at(v);
    *is_bad = !op || param->length;
    if (*is_bad)
        return true;
    param->op = op;
    if (!strcmp(op, ":"))
        return slice(v);
    if (op[0] == '/')
        return replacement(v);
    if (op[0] == '@') {
        *is_bad = byte_at(v, 1) != '}' || !strchr("UuLQEPAKak", byte_at(v, 0));
        return *is_bad || (param->arg = operand(v, value)) != NULL;
    }
    bool is_pattern = strchr("#%^,", op[0]) != NULL;
    return (param->arg = operand(v, is_pattern ? pattern : value)) != NULL;
}

/* "${x:-"{a,b}"}": bash expands braces first and takes what stands between the inner quotes for
 * unquoted. "${x:-"$"y}" : the inner quotes are gone before $y is looked for. Not worth knowing: unknown. */
static bool is_mingled(struct braced *v)
{
    struct sbx_builder *b = v->b;
    const char *text = b->p->lex.text;
    if (!sbx_sh_spend(b->p, b->pos - v->begin))
        return false;
    for (uint32_t i = v->begin; i < b->pos; i++)
        if ((text[i] == '{' && text[i - 1] != '$') || (text[i] == '"' && text[i - 1] == '$'))
            v->param->bad = true;
    return true;
}

bool sbx_sh_param_brace(struct sbx_builder *b, struct sbx_part *part)
{
    struct braced v = {.b = b, .begin = b->pos};
    bool is_bad = false;
    part->param = v.param = sbx_sh_bytes(b->p, sizeof(*v.param));
    if (!v.param || !head(&v, &is_bad) || (!is_bad && !tail(&v, &is_bad)))
        return false;
    if (is_bad || byte_at(&v, 0) != '}') {
        /* No form that bash knows: all of it is kept, so that what runs inside is seen. */
        *v.param = (struct sbx_param){.name = "", .op = "", .bad = true};
        if (!sbx_sh_spend(b->p, b->pos - v.begin))
            return false;
        b->pos = v.begin;
        v.param->arg = operand(&v, (struct sbx_builder){.flags = value_flags(b), .stop = '}'});
        if (!v.param->arg)
            return false;
    }
    if (v.saw_inner && !(b->flags & WORD_HEREDOC) && !is_mingled(&v))
        return false;
    b->pos += b->pos < b->end;
    return true;
}
