/* [[ ... ]] : bash reads it by hand, so do we. All operands and operators become words, in order. */
#include "policy/shell_int.h"

#include <string.h>

struct cond {
    struct sbx_parser *p;
    struct sbx_word **tail;
    enum sbx_token token;
};

/* bash complains, gives up on the rest of the text, and exits as if all were well. */
static bool cond_fail(struct cond *c, const char *message)
{
    struct sbx_parser *p = c->p;
    if (c->token == T_EOF)
        return sbx_sh_fail(p, SBX_PARSE_INCOMPLETE, p->lex.token_begin,
                           "unexpected end: `]]' is missing");
    return sbx_sh_give_up(p, message);
}

static bool read(struct cond *c)
{
    c->token = sbx_sh_read_token(c->p);
    return c->token != T_ERROR;
}

static bool read_past_newlines(struct cond *c)
{
    do {
        if (!read(c))
            return false;
    } while (c->token == T_NEWLINE);
    return true;
}

static bool append(struct cond *c, struct sbx_word *word)
{
    if (!word)
        return false;
    *c->tail = word;
    c->tail = &word->next;
    return true;
}

/* The current token as a word: an operand, or an operator by its bytes. */
static bool keep(struct cond *c, unsigned flags)
{
    struct sbx_parser *p = c->p;
    if (c->token == T_WORD)
        return append(c, sbx_sh_word_of(p, &p->lex.word, flags));
    const char *name = sbx_sh_token_name(c->token);
    struct sbx_lexword word = {.begin = p->lex.token_begin,
                               .end = p->lex.pos,
                               .raw = name,
                               .raw_len = strlen(name),
                               .is_plain = true};
    return append(c, sbx_sh_word_of(p, &word, 0));
}

static bool is_one_of(const struct sbx_lexword *word, const char *list)
{
    const char *at = list;
    while (*at) {
        size_t len = strcspn(at, " ");
        if (len == word->raw_len && !memcmp(at, word->raw, len))
            return true;
        at += len + (at[len] == ' ');
    }
    return false;
}

static bool is_unary(const struct sbx_lexword *word)
{
    return word->raw_len == 2 && word->raw[0] == '-' &&
           strchr("abcdefghknoprstuvwxzGLNORS", word->raw[1]);
}

/* The word behind a binary operator, whose own word is in lex.word (or it is < or >). */
static bool right_side(struct cond *c)
{
    struct sbx_lex *lex = &c->p->lex;
    unsigned flags = WORD_TILDE, extglob = lex->flags & LEX_EXTGLOB;
    if (c->token == T_WORD && is_one_of(&lex->word, "= == !=")) {
        lex->flags |= LEX_EXTGLOB;
        flags = WORD_PATTERN | WORD_EXTGLOB;
    } else if (c->token == T_WORD && is_one_of(&lex->word, "=~")) {
        lex->flags |= LEX_REGEX;
    }
    if (!keep(c, 0) || !read(c))
        return false;
    if (c->token == T_WORD && !keep(c, flags | (extglob ? WORD_EXTGLOB : 0)))
        return false;
    lex->flags = (lex->flags & ~(LEX_REGEX | LEX_EXTGLOB)) | extglob;
    if (c->token != T_WORD)
        return cond_fail(c, "unexpected right side in a conditional command");
    return read_past_newlines(c);
}

/* A word that may be an operand alone, or the left side of an operator. */
static bool operand(struct cond *c)
{
    static const char binary[] = "= == != =~ -eq -ne -lt -le -gt -ge -nt -ot -ef";
    const struct sbx_lexword *word = &c->p->lex.word;
    bool unary = is_unary(word);
    if (!keep(c, WORD_TILDE) || !read(c))
        return false;
    if (unary) {
        if (c->token != T_WORD)
            return cond_fail(c, "unexpected operand in a conditional command");
        return keep(c, WORD_TILDE) && read_past_newlines(c);
    }
    if (c->token == T_LESS || c->token == T_GREAT ||
        (c->token == T_WORD && is_one_of(word, binary)))
        return right_side(c);
    if (c->token == T_COND_END || c->token == T_AND_AND || c->token == T_OR_OR ||
        c->token == T_RPAREN)
        return true;
    return cond_fail(c, "an operator is missing in a conditional command");
}

static bool expression(struct cond *c);

static bool term(struct cond *c)
{
    do {
        if (!read_past_newlines(c))
            return false;
        if (c->token == T_WORD && is_one_of(&c->p->lex.word, "!")) {
            if (!keep(c, 0))
                return false;
            continue;
        }
        break;
    } while (true);
    if (c->token == T_WORD)
        return operand(c);
    if (c->token != T_LPAREN)
        return cond_fail(c, "unexpected token in a conditional command");
    if (!keep(c, 0) || !sbx_sh_enter(c->p))
        return false;
    bool is_ok = expression(c);
    c->p->depth--;
    if (is_ok && c->token != T_RPAREN)
        return cond_fail(c, "`)' is missing in a conditional command");
    return is_ok && keep(c, 0) && read_past_newlines(c);
}

static bool expression(struct cond *c)
{
    for (;;) {
        if (!term(c))
            return false;
        if (c->token != T_AND_AND && c->token != T_OR_OR)
            return true;
        if (!keep(c, 0))
            return false;
    }
}

bool sbx_sh_cond(struct sbx_parser *p, struct sbx_command *command)
{
    struct sbx_lex *lex = &p->lex;
    struct cond c = {.p = p, .tail = &command->words, .token = T_COND_BEGIN};
    /* As in bash, the history of tokens stands still at the "[[". */
    enum sbx_token last = lex->last, before = lex->before;
    lex->before = lex->last;
    lex->last = T_COND_BEGIN;
    lex->flags |= LEX_COND;
    bool is_ok = expression(&c);
    if (is_ok && c.token != T_COND_END)
        is_ok = cond_fail(&c, "unexpected token in a conditional command");
    lex->flags &= ~LEX_COND;
    lex->last = last;
    lex->before = before;
    lex->token = T_COND_END;
    lex->token_end = lex->pos;
    return is_ok;
}
