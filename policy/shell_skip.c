/* How far quotes and brackets reach, by the rules bash applies when it reads a word: bytes are counted,
 * quotes are matched, and substitutions are parsed; what the text means is not looked at. */
#include "policy/shell_int.h"

#include <string.h>

/* What ${...} has shown so far: behind # % / ^ , quotes keep their meaning inside "...". */
enum state { STATE_NONE, STATE_PARAM, STATE_OP, STATE_WORD, STATE_PATTERN };

static enum state state_after(enum state state, int byte, uint32_t seen)
{
    static const char ops[] = "#%^,~:-=?+/";
    bool is_op = byte > 0 && strchr(ops, byte) != NULL;
    if (state == STATE_PARAM && is_op)
        return seen > 1 && strchr("%#/^,", byte) ? STATE_PATTERN : STATE_OP;
    return state == STATE_OP && !is_op ? STATE_WORD : state;
}

static bool unclosed(struct sbx_parser *p, uint32_t begin, char close)
{
    char message[] = "unexpected end: ` ' is missing";
    message[sizeof("unexpected end: `") - 1] = close;
    return sbx_sh_fail(p, SBX_PARSE_INCOMPLETE, begin, message);
}

/* '...' : nothing but the closing quote counts. */
static bool skip_single(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    const char *close = memchr(lex->text + lex->pos, '\'', lex->end - lex->pos);
    if (!close)
        return unclosed(p, lex->pos - 1, '\'');
    lex->pos = (uint32_t)(close - lex->text) + 1;
    return true;
}

/* What stands behind "$" or "<": a bracket of its own. pos is behind the opening byte. */
static bool skip_nested(struct sbx_parser *p, int open, unsigned flags)
{
    if (open == '(')
        return sbx_sh_skip_comsub(p);
    if (open == '{')
        return sbx_sh_skip(p, (struct sbx_skip){.open = '{',
                                                .close = '}',
                                                .flags = SKIP_FIRSTCLOSE | SKIP_BRACE | flags});
    return sbx_sh_skip(p,
                       (struct sbx_skip){.open = '[', .close = ']', .flags = SKIP_ARITH | flags});
}

struct progress {
    unsigned count; /* open brackets of our kind */
    uint32_t seen;  /* bytes so far */
    bool was_dollar, was_redirect;
    enum state state;
};

/* Does something with brackets or quotes of its own begin at this byte? 1 yes and it is skipped, 0 no,
 * -1 error. */
static int skip_inner(struct sbx_parser *p, const struct sbx_skip *skip, struct progress *at,
                      int byte)
{
    unsigned inherited = skip->quote == '"' ? SKIP_DQUOTE : skip->flags & SKIP_DQUOTE;
    bool is_bracket = byte == '(' || byte == '{' || byte == '[';
    bool is_nested = false;
    if (skip->open != skip->close) {
        if (byte == '\'' || byte == '"' || byte == '`') {
            char quote = (char)byte;
            unsigned escapes = at->was_dollar && byte == '\'' ? SKIP_ALLOWESC : 0;
            struct sbx_skip inner = {quote, quote, quote, inherited | escapes};
            return sbx_sh_skip(p, inner) ? 1 : -1;
        }
        bool is_word = (skip->flags & (SKIP_SUBSCRIPT | SKIP_BRACE)) != 0;
        is_nested = (is_word && at->was_dollar && is_bracket) ||
                    ((skip->flags & SKIP_ARITH) && at->was_dollar && byte == '(') ||
                    (is_word && at->was_redirect && byte == '(');
    } else if (skip->open == '"' && byte == '`') {
        return sbx_sh_skip(p, (struct sbx_skip){0, '`', '`', inherited}) ? 1 : -1;
    }
    if (!is_nested &&
        !(skip->open == skip->close && skip->open != '`' && at->was_dollar && is_bracket))
        return 0;
    if (skip->open == byte)
        at->count--;
    return skip_nested(p, byte, inherited) ? 1 : -1;
}

/* Counts one byte. True when it closed the last bracket. */
static bool counts_to_zero(const struct sbx_skip *skip, struct progress *at, int byte)
{
    if (byte == skip->close)
        at->count--;
    else if (byte == skip->open &&
             (!(skip->flags & SKIP_FIRSTCLOSE) || (at->was_dollar && byte == '{')))
        at->count++;
    at->seen++;
    return at->count == 0;
}

static bool skip_bytes(struct sbx_parser *p, const struct sbx_skip *skip)
{
    struct sbx_lex *lex = &p->lex;
    uint32_t begin = lex->pos;
    struct progress at = {.count = 1, .state = skip->flags & SKIP_BRACE ? STATE_PARAM : STATE_NONE};
    for (;;) {
        int byte = skip->quote == '\''
                       ? (lex->pos < lex->end ? (unsigned char)lex->text[lex->pos++] : -1)
                       : sbx_sh_get(p);
        if (byte < 0)
            return unclosed(p, begin - 1, skip->close);
        if (byte == '\n' && lex->pos - 1 == lex->jump_at)
            return sbx_sh_fail(p, SBX_PARSE_LIMIT, begin, "a here-document stands inside a quote");
        if (counts_to_zero(skip, &at, byte))
            return true;
        if (byte == '\\' && (skip->open != '\'' || (skip->flags & SKIP_ALLOWESC))) {
            if (lex->pos < lex->end)
                lex->pos++;
            at.seen++;
            at.was_dollar = at.was_redirect = false;
            at.state = state_after(at.state, '\\', at.seen);
            continue;
        }
        if (skip->open == '\'')
            continue;
        at.state = state_after(at.state, byte, at.seen);
        int inner = skip_inner(p, skip, &at, byte);
        if (inner < 0)
            return false;
        at.was_redirect = (byte == '<' || byte == '>') && !at.was_redirect;
        at.was_dollar = byte == '$' && !at.was_dollar;
    }
}

bool sbx_sh_skip(struct sbx_parser *p, struct sbx_skip skip)
{
    if (skip.open == '\'' && !(skip.flags & SKIP_ALLOWESC) && p->lex.jump_at == UINT32_MAX)
        return skip_single(p);
    if (!sbx_sh_enter(p))
        return false;
    bool is_ok = skip_bytes(p, &skip);
    p->depth--;
    return is_ok;
}

/* "$((": bash counts parentheses to the one that closes the first, and looks later whether that was
 * arithmetic. */
static bool skip_parens(struct sbx_parser *p, struct sbx_memo *memo)
{
    struct sbx_lex *lex = &p->lex;
    uint32_t begin = lex->pos;
    struct sbx_skip skip = {0, '(', ')', SKIP_ARITH};
    const char *key = memo->key;
    (void)sbx_sh_get(p);
    if (!sbx_sh_skip(p, skip)) /* the inner pair */
        return false;
    uint32_t inner = lex->pos;
    bool is_ok = true, is_arith = sbx_sh_get(p) == ')';
    if (!is_arith) {
        lex->pos = inner;
        is_ok = sbx_sh_skip(p, skip); /* and on to the end of the outer one */
    }
    memo = is_ok ? sbx_sh_remember(p, key) : NULL;
    if (!memo)
        return false;
    memo->end = lex->pos;
    memo->is_parens = true;
    memo->is_arith = is_arith;
    return sbx_sh_spend(p, lex->pos - begin);
}

static struct sbx_script *parse_comsub(struct sbx_parser *p)
{
    struct sbx_lex saved = p->lex;
    uint32_t begin = saved.pos;
    p->lex = (struct sbx_lex){.text = saved.text,
                              .pos = saved.pos,
                              .end = saved.end,
                              .map = saved.map,
                              .jump_at = saved.jump_at,
                              .jump_to = saved.jump_to,
                              .pushed_end = saved.pushed_end,
                              .flags = saved.flags & LEX_EXTGLOB,
                              .is_comsub = true};
    p->aliasing.off++;
    sbx_sh_next(p);
    struct sbx_script *script = sbx_sh_list(p);
    if (script && p->lex.token == T_EOF)
        (void)unclosed(p, begin - 1, ')');
    else if (script && p->lex.token != T_RPAREN)
        (void)sbx_sh_unexpected(p);
    else if (script && p->lex.pending)
        (void)sbx_sh_heredoc_gather(p);
    p->aliasing.off--;
    uint32_t pos = p->lex.pos, jump_at = p->lex.jump_at, jump_to = p->lex.jump_to;
    p->lex = saved;
    p->lex.pos = pos;
    p->lex.jump_at = jump_at;
    p->lex.jump_to = jump_to;
    return p->status == SBX_PARSE_OK ? script : NULL;
}

bool sbx_sh_skip_comsub(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    const char *key = lex->text + lex->pos - 1;
    struct sbx_memo *memo = sbx_sh_recall(p, key);
    /* What was found from further out may reach past the end of this part: the body of a here-document. */
    if (memo && memo->end <= lex->end) {
        lex->pos = memo->end;
        return sbx_sh_spend(p, 1);
    }
    uint32_t begin = lex->pos;
    int first = sbx_sh_get(p);
    lex->pos = begin;
    struct sbx_memo fresh = {.key = key};
    if (first == '(')
        return skip_parens(p, &fresh);
    if (!sbx_sh_enter(p))
        return false;
    uint32_t before = p->nodes;
    struct sbx_script *script = parse_comsub(p);
    p->depth--;
    if (!script || !(memo = sbx_sh_remember(p, key)))
        return false;
    memo->script = script;
    memo->nodes = p->nodes - before;
    memo->end = lex->pos;
    return true;
}

int sbx_sh_skip_arith(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    uint32_t begin = lex->pos;
    if (!sbx_sh_skip(p, (struct sbx_skip){0, '(', ')', SKIP_ARITH}))
        return -1;
    uint32_t end = lex->pos - 1;
    if (!sbx_sh_spend(p, end - begin))
        return -1;
    bool is_arith = sbx_sh_get(p) == ')';
    lex->arith_begin = begin;
    lex->arith_end = is_arith ? end : lex->pos;
    if (is_arith)
        return 1;
    lex->pos = begin;
    return 0;
}
