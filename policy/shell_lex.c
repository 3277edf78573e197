/* Tokens: operators, reserved words and the context on which they depend. */
#include "policy/shell_int.h"

#include <string.h>

#define WORD(text, token)                                                                          \
    {                                                                                              \
        text, sizeof(text) - 1, token                                                              \
    }
static const struct {
    const char *word;
    size_t len;
    enum sbx_token token;
} reserved_words[] = {
    WORD("if", T_IF),         WORD("then", T_THEN),     WORD("else", T_ELSE),
    WORD("elif", T_ELIF),     WORD("fi", T_FI),         WORD("case", T_CASE),
    WORD("esac", T_ESAC),     WORD("for", T_FOR),       WORD("select", T_SELECT),
    WORD("while", T_WHILE),   WORD("until", T_UNTIL),   WORD("do", T_DO),
    WORD("done", T_DONE),     WORD("in", T_IN),         WORD("function", T_FUNCTION),
    WORD("time", T_TIME),     WORD("{", T_LBRACE),      WORD("}", T_RBRACE),
    WORD("!", T_BANG),        WORD("[[", T_COND_BEGIN), WORD("]]", T_COND_END),
    WORD("coproc", T_COPROC),
};

static const char *const token_names[] = {
    [T_START] = "",
    [T_EOF] = "end of text",
    [T_NEWLINE] = "newline",
    [T_WORD] = "word",
    [T_ASSIGN] = "assignment",
    [T_NUMBER] = "number",
    [T_REDIR_VAR] = "{name}",
    [T_SEMI] = ";",
    [T_AMP] = "&",
    [T_BAR] = "|",
    [T_LPAREN] = "(",
    [T_RPAREN] = ")",
    [T_LESS] = "<",
    [T_GREAT] = ">",
    [T_DASH] = "-",
    [T_AND_AND] = "&&",
    [T_OR_OR] = "||",
    [T_BAR_AMP] = "|&",
    [T_SEMI_SEMI] = ";;",
    [T_SEMI_AMP] = ";&",
    [T_SEMI_SEMI_AMP] = ";;&",
    [T_DLESS] = "<<",
    [T_DLESS_DASH] = "<<-",
    [T_TLESS] = "<<<",
    [T_DGREAT] = ">>",
    [T_LESS_AMP] = "<&",
    [T_GREAT_AMP] = ">&",
    [T_LESS_GREAT] = "<>",
    [T_GREAT_BAR] = ">|",
    [T_AMP_GREAT] = "&>",
    [T_AMP_DGREAT] = "&>>",
    [T_ARITH] = "((",
    [T_ARITH_FOR] = "((",
    [T_TIME_P] = "-p",
    [T_TIME_END] = "--",
    [T_ERROR] = "",
};

const char *sbx_sh_token_name(enum sbx_token token)
{
    for (size_t i = 0; i < sizeof(reserved_words) / sizeof(*reserved_words); i++)
        if (reserved_words[i].token == token)
            return reserved_words[i].word;
    return token_names[token];
}

/* Behind these a command begins, so a reserved word is one. */
#define RESERVED_AFTER                                                                             \
    (TOKEN_BIT(T_START) | TOKEN_BIT(T_NEWLINE) | TOKEN_BIT(T_SEMI) | TOKEN_BIT(T_LPAREN) |         \
     TOKEN_BIT(T_RPAREN) | TOKEN_BIT(T_BAR) | TOKEN_BIT(T_AMP) | TOKEN_BIT(T_LBRACE) |             \
     TOKEN_BIT(T_RBRACE) | TOKEN_BIT(T_AND_AND) | TOKEN_BIT(T_BANG) | TOKEN_BIT(T_BAR_AMP) |       \
     TOKEN_BIT(T_DO) | TOKEN_BIT(T_DONE) | TOKEN_BIT(T_ELIF) | TOKEN_BIT(T_ELSE) |                 \
     TOKEN_BIT(T_ESAC) | TOKEN_BIT(T_FI) | TOKEN_BIT(T_IF) | TOKEN_BIT(T_OR_OR) |                  \
     TOKEN_BIT(T_SEMI_SEMI) | TOKEN_BIT(T_SEMI_AMP) | TOKEN_BIT(T_SEMI_SEMI_AMP) |                 \
     TOKEN_BIT(T_THEN) | TOKEN_BIT(T_TIME) | TOKEN_BIT(T_TIME_P) | TOKEN_BIT(T_TIME_END) |         \
     TOKEN_BIT(T_COPROC) | TOKEN_BIT(T_UNTIL) | TOKEN_BIT(T_WHILE) | TOKEN_BIT(T_ARITH) |          \
     TOKEN_BIT(T_COND_END))

#define TIME_AFTER                                                                                 \
    (TOKEN_BIT(T_AND_AND) | TOKEN_BIT(T_OR_OR) | TOKEN_BIT(T_AMP) | TOKEN_BIT(T_WHILE) |           \
     TOKEN_BIT(T_DO) | TOKEN_BIT(T_UNTIL) | TOKEN_BIT(T_IF) | TOKEN_BIT(T_THEN) |                  \
     TOKEN_BIT(T_ELIF) | TOKEN_BIT(T_ELSE) | TOKEN_BIT(T_LBRACE) | TOKEN_BIT(T_LPAREN) |           \
     TOKEN_BIT(T_RPAREN) | TOKEN_BIT(T_BANG) | TOKEN_BIT(T_TIME) | TOKEN_BIT(T_TIME_P) |           \
     TOKEN_BIT(T_TIME_END) | TOKEN_BIT(T_START) | TOKEN_BIT(T_SEMI) | TOKEN_BIT(T_NEWLINE))

bool sbx_sh_reserved_ok(const struct sbx_lex *lex)
{
    if (TOKEN_IN(lex->last, RESERVED_AFTER))
        return true;
    return lex->last == T_WORD && (lex->before == T_COPROC || lex->before == T_FUNCTION);
}

static bool time_ok(const struct sbx_lex *lex)
{
    if (lex->before == T_BAR && (lex->last == T_SEMI || lex->last == T_NEWLINE))
        return false;
    return TOKEN_IN(lex->last, TIME_AFTER);
}

/* A reserved word where one may stand: its token, with the context that it opens or closes. */
static enum sbx_token plain_reserved(struct sbx_lex *lex, const char *word, size_t len)
{
    enum sbx_token token = T_WORD;
    for (size_t i = 0; i < sizeof(reserved_words) / sizeof(*reserved_words); i++)
        if (reserved_words[i].len == len && !memcmp(reserved_words[i].word, word, len))
            token = reserved_words[i].token;
    bool in_pattern = (lex->flags & LEX_CASEPAT) != 0;
    if ((in_pattern && token != T_ESAC) || (token == T_TIME && !time_ok(lex)) ||
        (in_pattern && (lex->last == T_BAR || lex->last == T_LPAREN)))
        return T_WORD;
    if (token == T_ESAC) {
        lex->flags &= ~(LEX_CASEPAT | LEX_CASESTMT);
        lex->esacs--;
    } else if (token == T_CASE) {
        lex->flags |= LEX_CASESTMT;
    }
    return token;
}

static inline bool is_word(const char *word, size_t len, const char *wanted)
{
    return len == strlen(wanted) && !memcmp(word, wanted, len);
}

/* `in` of for, select and case, and `do` behind the name of a loop. */
static enum sbx_token loop_word(struct sbx_lex *lex, const char *word, size_t len)
{
    bool is_in = is_word(word, len, "in"), is_do = is_word(word, len, "do");
    bool is_name = lex->last == T_WORD &&
                   (lex->before == T_FOR || lex->before == T_CASE || lex->before == T_SELECT);
    if (is_in &&
        (is_name || (lex->expecting_in && (lex->last == T_WORD || lex->last == T_NEWLINE)))) {
        if (is_name ? lex->before == T_CASE : (lex->flags & LEX_CASESTMT) != 0) {
            lex->flags |= LEX_CASEPAT;
            lex->esacs++;
        }
        if (lex->expecting_in)
            lex->expecting_in--;
        return T_IN;
    }
    bool may_do = (lex->expecting_in && (lex->last == T_NEWLINE || lex->last == T_SEMI)) ||
                  (is_name && lex->before != T_CASE);
    if (is_do && may_do) {
        if (lex->expecting_in)
            lex->expecting_in--;
        return T_DO;
    }
    return T_WORD;
}

enum sbx_token sbx_sh_special(struct sbx_parser *p, const char *word, size_t len)
{
    struct sbx_lex *lex = &p->lex;
    if (len > sizeof("function") - 1 || !len)
        return T_WORD;
    enum sbx_token token = loop_word(lex, word, len);
    if (token != T_WORD)
        return token;
    if (lex->esacs && lex->last == T_IN && is_word(word, len, "esac")) {
        lex->esacs--;
        lex->flags &= ~LEX_CASEPAT;
        return T_ESAC;
    }
    if (lex->last == T_ARITH_FOR && is_word(word, len, "do"))
        return T_DO;
    if (lex->last == T_ARITH_FOR && is_word(word, len, "{"))
        return T_LBRACE;
    if (lex->last == T_TIME && is_word(word, len, "-p"))
        return T_TIME_P;
    if ((lex->last == T_TIME || lex->last == T_TIME_P) && is_word(word, len, "--"))
        return T_TIME_END;
    if ((lex->flags & LEX_COND) && is_word(word, len, "]]"))
        return T_COND_END;
    return T_WORD;
}

enum sbx_token sbx_sh_reserved(struct sbx_parser *p, const char *word, size_t len)
{
    if (len > sizeof("function") - 1 || !sbx_sh_reserved_ok(&p->lex))
        return T_WORD;
    return plain_reserved(&p->lex, word, len);
}

/* Takes the byte if it comes next. */
static bool follows(struct sbx_parser *p, int byte)
{
    uint32_t pos = p->lex.pos;
    if (sbx_sh_get(p) == byte)
        return true;
    p->lex.pos = pos;
    return false;
}

static enum sbx_token less(struct sbx_parser *p)
{
    if (follows(p, '<'))
        return follows(p, '-') ? T_DLESS_DASH : follows(p, '<') ? T_TLESS : T_DLESS;
    return follows(p, '&') ? T_LESS_AMP : follows(p, '>') ? T_LESS_GREAT : T_LESS;
}

static enum sbx_token great(struct sbx_parser *p)
{
    return follows(p, '>')   ? T_DGREAT
           : follows(p, '&') ? T_GREAT_AMP
           : follows(p, '|') ? T_GREAT_BAR
                             : T_GREAT;
}

static enum sbx_token ampersand(struct sbx_parser *p)
{
    if (follows(p, '&'))
        return T_AND_AND;
    if (follows(p, '>'))
        return follows(p, '>') ? T_AMP_DGREAT : T_AMP_GREAT;
    return T_AMP;
}

static enum sbx_token semicolon(struct sbx_parser *p)
{
    enum sbx_token token = T_SEMI;
    if (follows(p, ';'))
        token = follows(p, '&') ? T_SEMI_SEMI_AMP : T_SEMI_SEMI;
    else if (follows(p, '&'))
        token = T_SEMI_AMP;
    if (token == T_SEMI)
        return token;
    p->lex.flags |= LEX_CASEPAT;
    if (token != T_SEMI_AMP)
        p->lex.alias_next = false;
    return token;
}

static enum sbx_token left_paren(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    uint32_t pos = lex->pos;
    if ((lex->last == T_FOR || sbx_sh_reserved_ok(lex)) && follows(p, '(')) {
        int is_arith = sbx_sh_skip_arith(p);
        if (is_arith < 0)
            return T_ERROR;
        if (is_arith)
            return lex->last == T_FOR ? T_ARITH_FOR : T_ARITH;
        if (lex->last == T_FOR) {
            /* Behind what was skipped, as bash does it. */
            lex->pos = lex->arith_end;
            if (lex->pos == lex->end)
                (void)sbx_sh_fail(p, SBX_PARSE_INCOMPLETE, pos, "unexpected end: `))' is missing");
            else
                (void)sbx_sh_give_up(p, "unexpected `(('");
            return T_ERROR;
        }
        lex->pos = pos;
        lex->pushed_end = lex->arith_end > lex->pushed_end ? lex->arith_end : lex->pushed_end;
    }
    return T_LPAREN;
}

static enum sbx_token operator_token(struct sbx_parser *p, int byte)
{
    p->lex.flags &= ~LEX_ASSIGNOK;
    switch (byte) {
    case '<':
        return less(p);
    case '>':
        return great(p);
    case '&':
        return ampersand(p);
    case ';':
        return semicolon(p);
    case '|':
        return follows(p, '|') ? T_OR_OR : follows(p, '&') ? T_BAR_AMP : T_BAR;
    case '(':
        return left_paren(p);
    default: /* ) */
        if (p->lex.last == T_LPAREN && p->lex.before == T_WORD)
            p->lex.alias_next = false;
        p->lex.flags &= ~LEX_CASEPAT;
        return T_RPAREN;
    }
}

static enum sbx_token newline(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    if (lex->pos - 1 == lex->jump_at) {
        lex->pos = lex->jump_to;
        lex->jump_at = UINT32_MAX;
    }
    lex->flags &= ~LEX_ASSIGNOK;
    lex->alias_next = false;
    if (lex->pending && sbx_sh_aliased(p) && p->aliasing.depth) {
        /* bash takes the body from behind the line that was typed. */
        p->aliasing.limit = true;
        (void)sbx_sh_fail(p, SBX_PARSE_LIMIT, lex->pos, "a line ends inside an alias");
        return T_ERROR;
    }
    if (lex->pending && lex->pos <= lex->pushed_end) {
        /* bash has read these lines already and takes the body from behind them. */
        (void)sbx_sh_fail(p, SBX_PARSE_LIMIT, lex->pos, "a here-document stands in ((");
        return T_ERROR;
    }
    if (lex->pending && !sbx_sh_heredoc_gather(p))
        return T_ERROR;
    return T_NEWLINE;
}

/* Is this < or > the beginning of a process substitution, that is of a word? */
static bool begins_process(struct sbx_parser *p, int byte)
{
    if (byte != '<' && byte != '>')
        return false;
    uint32_t pos = p->lex.pos;
    bool is_paren = sbx_sh_get(p) == '(';
    p->lex.pos = pos;
    return is_paren;
}

static enum sbx_token read_once(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    int byte;
    uint32_t begin;
    if (p->status != SBX_PARSE_OK)
        return T_ERROR;
    do {
        begin = lex->pos;
        byte = sbx_sh_get(p);
    } while (sbx_sh_is(byte, BYTE_BLANK));
    if (byte == '#') {
        const char *end = memchr(lex->text + lex->pos, '\n', lex->end - lex->pos);
        begin = end ? (uint32_t)(end - lex->text) : lex->end;
        lex->pos = begin + (end ? 1 : 0);
        byte = end ? '\n' : -1;
    }
    lex->token_begin = begin;
    if (sbx_sh_aliased(p))
        sbx_sh_alias_reach(p, byte < 0 ? lex->end : lex->pos - 1);
    if (byte < 0)
        return T_EOF;
    if (byte == '\n')
        return newline(p);
    bool is_regex = (lex->flags & LEX_REGEX) && (byte == '(' || byte == '|');
    lex->alias_next = lex->alias_next && (is_regex || (byte != '<' && byte != '>'));
    if (!is_regex && sbx_sh_is(byte, BYTE_META) && !begins_process(p, byte))
        return operator_token(p, byte);
    if (byte == '-' && (lex->last == T_LESS_AMP || lex->last == T_GREAT_AMP))
        return T_DASH;
    /* Not begin, but the byte itself: continuation lines may stand in front of it. */
    lex->pos--;
    lex->token_begin = lex->pos;
    return sbx_sh_read_word(p);
}

enum sbx_token sbx_sh_read_token(struct sbx_parser *p)
{
    enum sbx_token token;
    do
        token = read_once(p);
    while (token == T_AGAIN);
    if (sbx_sh_aliased(p) && p->aliasing.depth && token != T_ERROR &&
        !sbx_sh_alias_fits(p, p->lex.token_begin, token))
        return T_ERROR;
    return token;
}

void sbx_sh_next(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    lex->before = lex->last;
    lex->last = lex->token;
    lex->token = sbx_sh_read_token(p);
    lex->token_end = lex->pos;
}
