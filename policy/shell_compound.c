/* Compound commands and functions. */
#include "policy/shell_int.h"

/* Consumes the token, or fails. */
static bool expect(struct sbx_parser *p, enum sbx_token token)
{
    if (p->lex.token != token)
        return sbx_sh_unexpected(p);
    sbx_sh_next(p);
    return p->lex.token != T_ERROR;
}

/* The closing token: the command ends with it. */
static bool finish(struct sbx_parser *p, struct sbx_command *command, enum sbx_token token)
{
    command->span.end = sbx_sh_span(p, p->lex.token_end, p->lex.token_end).begin;
    return expect(p, token);
}

static bool group(struct sbx_parser *p, struct sbx_command *command)
{
    bool is_subshell = p->lex.token == T_LPAREN;
    p->lex.parens += is_subshell;
    sbx_sh_next(p);
    if (!(command->body = sbx_sh_compound(p)))
        return false;
    p->lex.parens -= is_subshell;
    return finish(p, command, is_subshell ? T_RPAREN : T_RBRACE);
}

static bool if_command(struct sbx_parser *p, struct sbx_command *command)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_clause **tail = &command->clauses;
    for (;;) {
        struct sbx_clause *clause = sbx_sh_node(p, sizeof(*clause));
        if (!clause)
            return false;
        clause->span = sbx_sh_span(p, lex->token_begin, lex->token_end);
        clause->terminator = "";
        *tail = clause;
        tail = &clause->next;
        bool is_else = lex->token == T_ELSE;
        sbx_sh_next(p);
        if (!is_else && (!(clause->condition = sbx_sh_compound(p)) || !expect(p, T_THEN)))
            return false;
        if (!(clause->body = sbx_sh_compound(p)))
            return false;
        clause->span.end = clause->body->span.end;
        if (is_else || (lex->token != T_ELIF && lex->token != T_ELSE))
            return finish(p, command, T_FI);
    }
}

static bool loop(struct sbx_parser *p, struct sbx_command *command)
{
    sbx_sh_next(p);
    return (command->condition = sbx_sh_compound(p)) && expect(p, T_DO) &&
           (command->body = sbx_sh_compound(p)) && finish(p, command, T_DONE);
}

/* "do ... done" or "{ ... }" */
static bool for_body(struct sbx_parser *p, struct sbx_command *command)
{
    bool is_brace = p->lex.token == T_LBRACE;
    return expect(p, is_brace ? T_LBRACE : T_DO) && (command->body = sbx_sh_compound(p)) &&
           finish(p, command, is_brace ? T_RBRACE : T_DONE);
}

/* From `pos` to the next ";" outside of quotes and substitutions, or to the end. */
static uint32_t find_semicolon(struct sbx_parser *p, uint32_t pos, uint32_t end)
{
    const char *text = p->lex.text;
    struct sbx_lex saved = p->lex;
    p->lex.pos = pos;
    p->lex.end = end;
    while (p->lex.pos < end && text[p->lex.pos] != ';' && p->status == SBX_PARSE_OK) {
        char byte = text[p->lex.pos++];
        char next = p->lex.pos < end ? text[p->lex.pos] : '\0';
        if (byte == '\\') {
            p->lex.pos += p->lex.pos < end;
        } else if (byte == '\'' || byte == '"' || byte == '`') {
            (void)sbx_sh_skip(p, (struct sbx_skip){byte, byte, byte, 0});
        } else if (byte == '$' && (next == '(' || next == '{')) {
            p->lex.pos++;
            struct sbx_skip skip = {0, '{', '}', SKIP_FIRSTCLOSE | SKIP_BRACE};
            (void)(next == '(' ? sbx_sh_skip_comsub(p) : sbx_sh_skip(p, skip));
        }
    }
    uint32_t found = p->status == SBX_PARSE_OK ? p->lex.pos : end;
    if (p->status == SBX_PARSE_SYNTAX || p->status == SBX_PARSE_INCOMPLETE)
        p->status = SBX_PARSE_OK;
    p->lex = saved;
    return found;
}

/* The three expressions of for ((a; b; c)) */
static bool arith_for(struct sbx_parser *p, struct sbx_command *command)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_word **tail = &command->words;
    uint32_t at = lex->token_begin, pos = lex->arith_begin, end = lex->arith_end;
    unsigned count = 0;
    command->kind = SBX_CMD_ARITH_FOR;
    for (bool goes_on = true; goes_on; count++) {
        uint32_t stop = find_semicolon(p, pos, end);
        if (!(*tail = sbx_sh_word(p, pos, stop, WORD_ARITH)))
            return false;
        tail = &(*tail)->next;
        goes_on = stop < end;
        pos = stop + 1;
    }
    if (count != 3)
        return sbx_sh_fail(p, SBX_PARSE_SYNTAX, at, "for ((...)) wants three expressions");
    sbx_sh_next(p);
    if (lex->token == T_SEMI || lex->token == T_NEWLINE) {
        sbx_sh_next(p);
        sbx_sh_newlines(p);
    }
    return for_body(p, command);
}

static bool for_words(struct sbx_parser *p, struct sbx_command *command)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_word **tail = &command->words;
    command->has_in = true;
    sbx_sh_next(p);
    while (lex->token == T_WORD) {
        if (!(*tail = sbx_sh_word_of(p, &lex->word, WORD_COMMAND)))
            return false;
        tail = &(*tail)->next;
        sbx_sh_next(p);
    }
    if (lex->token != T_SEMI && lex->token != T_NEWLINE)
        return sbx_sh_unexpected(p);
    sbx_sh_next(p);
    sbx_sh_newlines(p);
    return true;
}

static bool for_command(struct sbx_parser *p, struct sbx_command *command)
{
    struct sbx_lex *lex = &p->lex;
    bool is_for = lex->token == T_FOR;
    sbx_sh_next(p);
    if (is_for && lex->token == T_ARITH_FOR)
        return arith_for(p, command);
    if (lex->token != T_WORD)
        return sbx_sh_unexpected(p);
    command->name = lex->word.raw;
    command->name_len = lex->word.raw_len;
    sbx_sh_next(p);
    if (lex->token == T_SEMI) {
        sbx_sh_next(p);
        sbx_sh_newlines(p);
    } else {
        sbx_sh_newlines(p);
        if (lex->token == T_IN && !for_words(p, command))
            return false;
    }
    return for_body(p, command);
}

static bool case_patterns(struct sbx_parser *p, struct sbx_clause *clause)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_word **tail = &clause->patterns;
    if (lex->token == T_LPAREN)
        sbx_sh_next(p);
    for (;;) {
        if (lex->token != T_WORD)
            return sbx_sh_unexpected(p);
        if (!(*tail = sbx_sh_word_of(p, &lex->word, WORD_PATTERN)))
            return false;
        tail = &(*tail)->next;
        sbx_sh_next(p);
        if (lex->token != T_BAR)
            return expect(p, T_RPAREN);
        sbx_sh_next(p);
    }
}

static const char *clause_end(enum sbx_token token)
{
    switch (token) {
    case T_SEMI_SEMI:
        return ";;";
    case T_SEMI_AMP:
        return ";&";
    case T_SEMI_SEMI_AMP:
        return ";;&";
    default:
        return "";
    }
}

static bool case_clause(struct sbx_parser *p, struct sbx_clause *clause)
{
    struct sbx_lex *lex = &p->lex;
    clause->span = sbx_sh_span(p, lex->token_begin, lex->token_end);
    if (!case_patterns(p, clause))
        return false;
    struct sbx_script *body = sbx_sh_list(p);
    if (!body)
        return false;
    clause->body = body->pipelines ? body : NULL;
    clause->terminator = clause_end(lex->token);
    clause->span.end = sbx_sh_span(p, lex->token_begin, lex->token_begin).begin;
    if (*clause->terminator)
        sbx_sh_next(p);
    else if (lex->token != T_ESAC)
        return sbx_sh_unexpected(p);
    sbx_sh_newlines(p);
    return lex->token != T_ERROR;
}

static bool case_command(struct sbx_parser *p, struct sbx_command *command)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_clause **tail = &command->clauses;
    sbx_sh_next(p);
    if (lex->token != T_WORD)
        return sbx_sh_unexpected(p);
    if (!(command->subject = sbx_sh_word_of(p, &lex->word, WORD_TILDE)))
        return false;
    sbx_sh_next(p);
    sbx_sh_newlines(p);
    if (!expect(p, T_IN))
        return false;
    sbx_sh_newlines(p);
    while (lex->token != T_ESAC) {
        struct sbx_clause *clause = sbx_sh_node(p, sizeof(*clause));
        if (!clause || !case_clause(p, clause))
            return false;
        *tail = clause;
        tail = &clause->next;
    }
    return finish(p, command, T_ESAC);
}

static bool arith_command(struct sbx_parser *p, struct sbx_command *command)
{
    struct sbx_lex *lex = &p->lex;
    command->words = sbx_sh_word(p, lex->arith_begin, lex->arith_end, WORD_ARITH);
    return command->words && finish(p, command, T_ARITH);
}

static bool cond_command(struct sbx_parser *p, struct sbx_command *command)
{
    if (!sbx_sh_cond(p, command))
        return false;
    command->span.end = sbx_sh_span(p, p->lex.pos, p->lex.pos).begin;
    sbx_sh_next(p);
    return p->lex.token != T_ERROR;
}

struct sbx_command *sbx_sh_shell_command(struct sbx_parser *p)
{
    static const struct {
        enum sbx_token token;
        enum sbx_command_kind kind;
        bool (*parse)(struct sbx_parser *p, struct sbx_command *command);
    } kinds[] = {
        {T_LBRACE,     SBX_CMD_GROUP,    group        },
        {T_LPAREN,     SBX_CMD_SUBSHELL, group        },
        {T_IF,         SBX_CMD_IF,       if_command   },
        {T_WHILE,      SBX_CMD_WHILE,    loop         },
        {T_UNTIL,      SBX_CMD_UNTIL,    loop         },
        {T_FOR,        SBX_CMD_FOR,      for_command  },
        {T_SELECT,     SBX_CMD_SELECT,   for_command  },
        {T_CASE,       SBX_CMD_CASE,     case_command },
        {T_ARITH,      SBX_CMD_ARITH,    arith_command},
        {T_COND_BEGIN, SBX_CMD_COND,     cond_command },
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (kinds[i].token != p->lex.token)
            continue;
        struct sbx_command *command = sbx_sh_new_command(p, kinds[i].kind);
        if (!command)
            return NULL;
        command->span = sbx_sh_span(p, p->lex.token_begin, p->lex.token_end);
        return kinds[i].parse(p, command) ? command : NULL;
    }
    return NULL;
}

/* One command as a script of its own. */
struct sbx_script *sbx_sh_script_of(struct sbx_parser *p, struct sbx_command *body)
{
    struct sbx_pipeline *pipeline = sbx_sh_node(p, sizeof(*pipeline));
    struct sbx_script *script = sbx_sh_node(p, sizeof(*script));
    if (!pipeline || !script)
        return NULL;
    *pipeline = (struct sbx_pipeline){.span = body->span, .terminator = "", .commands = body};
    *script = (struct sbx_script){.span = body->span, .pipelines = pipeline};
    return script;
}

/* The body of a function: one compound command with its redirections, as a script of its own. */
static struct sbx_script *function_body(struct sbx_parser *p)
{
    if (!sbx_sh_enter(p))
        return NULL;
    struct sbx_command *body = sbx_sh_shell_command(p);
    p->depth--;
    if (!body) {
        (void)sbx_sh_unexpected(p);
        return NULL;
    }
    if (!sbx_sh_redirs(p, body))
        return NULL;
    return sbx_sh_script_of(p, body);
}

/* "function f (list)" has a subshell for a body, "function f ()" has not. */
static bool right_paren_follows(struct sbx_parser *p)
{
    uint32_t pos = p->lex.pos;
    int byte;
    do
        byte = sbx_sh_get(p);
    while (sbx_sh_is(byte, BYTE_BLANK));
    p->lex.pos = pos;
    return byte == ')';
}

/* "name ()" where name is given: the "(" is current. "function name [()]" otherwise. */
struct sbx_command *sbx_sh_function(struct sbx_parser *p, uint32_t begin,
                                    const struct sbx_lexword *name)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_command *command = sbx_sh_new_command(p, SBX_CMD_FUNCTION);
    if (!command)
        return NULL;
    struct sbx_lexword own = name ? *name : (struct sbx_lexword){.raw = ""};
    bool has_parens = name != NULL;
    if (!name) {
        sbx_sh_next(p);
        if (lex->token != T_WORD) {
            (void)sbx_sh_unexpected(p);
            return NULL;
        }
        own = lex->word;
        sbx_sh_next(p);
    }
    command->name = own.raw;
    command->name_len = own.raw_len;
    if (!name && lex->token == T_LPAREN && right_paren_follows(p)) {
        has_parens = true;
        sbx_sh_next(p);
    } else if (name) {
        sbx_sh_next(p);
        if (lex->token != T_RPAREN) {
            (void)sbx_sh_unexpected(p);
            return NULL;
        }
    }
    if (has_parens)
        sbx_sh_next(p);
    sbx_sh_newlines(p);
    if (!(command->body = function_body(p)))
        return NULL;
    command->span = (struct sbx_span){sbx_sh_span(p, begin, begin).begin, command->body->span.end};
    return command;
}
