/* Redirections. */
#include "policy/shell_int.h"

/* These may not have a number in front. */
#define REDIR_BARE (TOKEN_BIT(T_AMP_GREAT) | TOKEN_BIT(T_AMP_DGREAT))

static enum sbx_redir_kind redir_kind(enum sbx_token token)
{
    switch (token) {
    case T_LESS:
        return SBX_REDIR_READ;
    case T_GREAT:
        return SBX_REDIR_WRITE;
    case T_GREAT_BAR:
        return SBX_REDIR_CLOBBER;
    case T_DGREAT:
        return SBX_REDIR_APPEND;
    case T_LESS_GREAT:
        return SBX_REDIR_READWRITE;
    case T_AMP_GREAT:
        return SBX_REDIR_BOTH;
    case T_AMP_DGREAT:
        return SBX_REDIR_BOTH_APPEND;
    case T_LESS_AMP:
        return SBX_REDIR_DUP_IN;
    case T_GREAT_AMP:
        return SBX_REDIR_DUP_OUT;
    case T_TLESS:
        return SBX_REDIR_HERESTRING;
    default:
        return SBX_REDIR_HEREDOC;
    }
}

/* "-", "3" or "3-", also in quotes: what >& takes for a descriptor rather than for a file. */
static bool is_descriptor(const struct sbx_word *word)
{
    size_t digits = 0, dashes = 0;
    for (const struct sbx_part *part = word->parts; part; part = part->next) {
        const struct sbx_part *inner = part->kind == SBX_PART_DOUBLE ? part->parts : part;
        for (; inner; inner = part->kind == SBX_PART_DOUBLE ? inner->next : NULL) {
            if (inner->kind > SBX_PART_ANSI)
                return false;
            for (size_t i = 0; i < inner->text_len; i++) {
                if (dashes)
                    return false;
                if (inner->text[i] == '-')
                    dashes++;
                else if (inner->text[i] >= '0' && inner->text[i] <= '9')
                    digits++;
                else
                    return false;
            }
        }
    }
    return digits + dashes > 0;
}

/* The word behind the operator. */
static bool redir_target(struct sbx_parser *p, struct sbx_redir *redir, bool takes_fd)
{
    struct sbx_lex *lex = &p->lex;
    const struct sbx_lexword *word = &lex->word;
    struct sbx_lexword dash = {.begin = lex->token_begin,
                               .end = lex->token_end,
                               .raw = "-",
                               .raw_len = 1,
                               .is_plain = true};
    unsigned flags = WORD_COMMAND & ~WORD_ASSIGN;
    if (takes_fd && lex->token == T_DASH)
        word = &dash;
    else if (lex->token != T_WORD && !(takes_fd && lex->token == T_NUMBER))
        return sbx_sh_unexpected(p);
    redir->span.end = sbx_sh_span(p, lex->token_end, lex->token_end).begin;
    if (redir->kind == SBX_REDIR_HEREDOC) {
        redir->target = sbx_sh_literal(p, word);
        if (!redir->target || !sbx_sh_heredoc_add(p, redir, word))
            return false;
    } else {
        if (redir->kind == SBX_REDIR_HERESTRING)
            flags = WORD_VALUE;
        redir->target = sbx_sh_word_of(p, word, flags);
        if (!redir->target)
            return false;
    }
    if (redir->kind == SBX_REDIR_DUP_OUT && redir->fd < 2 && redir->fd != 0 && !redir->fd_var &&
        !is_descriptor(redir->target))
        redir->kind = SBX_REDIR_BOTH;
    if (lex->is_bare)
        lex->flags |= LEX_REDIRS;
    sbx_sh_next(p);
    return p->status == SBX_PARSE_OK;
}

static int number_of(const struct sbx_lexword *word)
{
    int value = 0;
    for (size_t i = 0; i < word->raw_len; i++)
        value = value * 10 + (word->raw[i] - '0');
    return value;
}

struct sbx_redir *sbx_sh_redir(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_redir *redir = sbx_sh_node(p, sizeof(*redir));
    if (!redir)
        return NULL;
    redir->fd = -1;
    redir->span = sbx_sh_span(p, lex->token_begin, lex->token_end);
    bool has_prefix = lex->token == T_NUMBER || lex->token == T_REDIR_VAR;
    if (lex->token == T_NUMBER)
        redir->fd = number_of(&lex->word);
    if (lex->token == T_REDIR_VAR &&
        !(redir->fd_var = sbx_arena_strndup(p->arena, lex->word.raw + 1, lex->word.raw_len - 2))) {
        (void)sbx_sh_fail(p, SBX_PARSE_LIMIT, lex->pos, "too much memory for one input");
        return NULL;
    }
    if (has_prefix)
        sbx_sh_next(p);
    if (!TOKEN_IN(lex->token, REDIR_OPERATORS) ||
        (has_prefix && TOKEN_IN(lex->token, REDIR_BARE))) {
        (void)sbx_sh_unexpected(p);
        return NULL;
    }
    redir->kind = redir_kind(lex->token);
    redir->heredoc_strip = lex->token == T_DLESS_DASH;
    bool takes_fd = lex->token == T_LESS_AMP || lex->token == T_GREAT_AMP;
    sbx_sh_next(p);
    return redir_target(p, redir, takes_fd) ? redir : NULL;
}

bool sbx_sh_redirs(struct sbx_parser *p, struct sbx_command *command)
{
    p->lex.is_bare = false;
    struct sbx_redir **tail = &command->redirs;
    while (*tail)
        tail = &(*tail)->next;
    while (TOKEN_IN(p->lex.token, REDIR_TOKENS)) {
        if (!(*tail = sbx_sh_redir(p)))
            return false;
        command->span.end = (*tail)->span.end;
        tail = &(*tail)->next;
    }
    return p->lex.token != T_ERROR;
}
