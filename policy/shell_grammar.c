/* Lists, pipelines, simple commands. */
#include "policy/shell_int.h"

#include <stdio.h>
#include <string.h>

#define STARTER_TOKENS                                                                             \
    (REDIR_TOKENS | TOKEN_BIT(T_WORD) | TOKEN_BIT(T_ASSIGN) | TOKEN_BIT(T_LPAREN) |                \
     TOKEN_BIT(T_ARITH) | TOKEN_BIT(T_IF) | TOKEN_BIT(T_CASE) | TOKEN_BIT(T_FOR) |                 \
     TOKEN_BIT(T_SELECT) | TOKEN_BIT(T_WHILE) | TOKEN_BIT(T_UNTIL) | TOKEN_BIT(T_FUNCTION) |       \
     TOKEN_BIT(T_TIME) | TOKEN_BIT(T_LBRACE) | TOKEN_BIT(T_BANG) | TOKEN_BIT(T_COND_BEGIN) |       \
     TOKEN_BIT(T_COPROC))

bool sbx_sh_unexpected(struct sbx_parser *p)
{
    const struct sbx_lex *lex = &p->lex;
    char message[160];
    if (lex->token == T_ERROR)
        return false;
    if (lex->token == T_EOF)
        return sbx_sh_fail(p, SBX_PARSE_INCOMPLETE, lex->token_begin, "unexpected end of text");
    if (lex->token == T_WORD || lex->token == T_ASSIGN || lex->token == T_NUMBER)
        (void)snprintf(message, sizeof(message), "unexpected `%.*s'",
                       lex->word.raw_len > 60 ? 60 : (int)lex->word.raw_len, lex->word.raw);
    else
        (void)snprintf(message, sizeof(message), "unexpected `%s'", sbx_sh_token_name(lex->token));
    return sbx_sh_fail(p, SBX_PARSE_SYNTAX, lex->token_begin, message);
}

/* bash complains, drops the rest of the line and what follows, and exits as if nothing had happened.
 * The rest of the line is still read, and an error in it counts. */
bool sbx_sh_give_up(struct sbx_parser *p, const char *message)
{
    struct sbx_lex *lex = &p->lex;
    uint32_t at = lex->token_begin;
    if (p->status != SBX_PARSE_OK)
        return false;
    lex->token = T_COND_BEGIN; /* nothing behind which a command could begin */
    do
        sbx_sh_next(p);
    while (lex->token != T_NEWLINE && lex->token != T_EOF && lex->token != T_ERROR);
    if (lex->token == T_EOF && lex->text[lex->end - 1] == '\n')
        return sbx_sh_fail(p, SBX_PARSE_INCOMPLETE, at, message);
    if (lex->token != T_ERROR && !lex->is_comsub)
        p->is_cond_error = true;
    return sbx_sh_fail(p, SBX_PARSE_SYNTAX, at, message);
}

void sbx_sh_newlines(struct sbx_parser *p)
{
    while (p->lex.token == T_NEWLINE)
        sbx_sh_next(p);
}

struct sbx_command *sbx_sh_new_command(struct sbx_parser *p, enum sbx_command_kind kind)
{
    struct sbx_command *command = sbx_sh_node(p, sizeof(*command));
    if (command)
        command->kind = kind;
    return command;
}

/* --- simple commands ------------------------------------------------------------------------------ */
struct simple {
    struct sbx_command *command;
    struct sbx_assign **assign_tail;
    struct sbx_word **word_tail;
    struct sbx_redir **redir_tail;
    bool declares; /* declare & co.: assignments may stand among the words */
};

static bool is_declare(const struct sbx_lexword *word)
{
    static const char *const names[] = {"declare", "export", "local", "readonly", "typeset"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (word->is_plain && strlen(names[i]) == word->raw_len &&
            !memcmp(names[i], word->raw, word->raw_len))
            return true;
    return false;
}

static bool simple_word(struct sbx_parser *p, struct simple *simple, const struct sbx_lexword *word)
{
    bool is_first = !simple->command->words;
    /* bash: the words in front that look like assignments are, also behind a redirection. */
    if (word->is_assignment && (is_first || simple->declares || word->is_array)) {
        struct sbx_assign *assign = sbx_sh_assign_of(p, word);
        if (!assign)
            return false;
        *simple->assign_tail = assign;
        simple->assign_tail = &assign->next;
        return true;
    }
    struct sbx_word *made = sbx_sh_word_of(p, word, WORD_COMMAND);
    if (!made)
        return false;
    simple->declares |= is_first && is_declare(word);
    *simple->word_tail = made;
    simple->word_tail = &made->next;
    return true;
}

/* The first word was read already where `name` is not NULL. */
static bool simple_command(struct sbx_parser *p, struct sbx_command *command,
                           const struct sbx_lexword *name)
{
    struct sbx_lex *lex = &p->lex;
    struct simple simple = {command, &command->assigns, &command->words, &command->redirs, false};
    if (name) {
        if (!simple_word(p, &simple, name))
            return false;
        command->span.end = sbx_sh_span(p, name->end, name->end).begin;
    }
    for (;;) {
        if (lex->token == T_WORD || lex->token == T_ASSIGN) {
            if (!simple_word(p, &simple, &lex->word))
                return false;
            command->span.end = sbx_sh_span(p, lex->token_end, lex->token_end).begin;
            lex->flags &= ~LEX_REDIRS;
            sbx_sh_next(p);
        } else if (TOKEN_IN(lex->token, REDIR_TOKENS)) {
            lex->is_bare = !command->words && !command->assigns;
            if (!(*simple.redir_tail = sbx_sh_redir(p)))
                return false;
            command->span.end = (*simple.redir_tail)->span.end;
            simple.redir_tail = &(*simple.redir_tail)->next;
        } else {
            lex->flags &= ~LEX_REDIRS;
            return lex->token != T_ERROR;
        }
    }
}

/* A simple command whose first word, where it has one, was read already. */
static struct sbx_command *simple_rest(struct sbx_parser *p, uint32_t begin,
                                       const struct sbx_lexword *name)
{
    struct sbx_command *command = sbx_sh_new_command(p, SBX_CMD_SIMPLE);
    if (!command)
        return NULL;
    command->span = sbx_sh_span(p, begin, p->lex.token_end);
    return simple_command(p, command, name) ? command : NULL;
}

static struct sbx_command *simple_or_function(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    uint32_t begin = lex->token_begin;
    if (lex->token != T_WORD)
        return simple_rest(p, begin, NULL);
    struct sbx_lexword name = lex->word;
    sbx_sh_next(p);
    return lex->token == T_LPAREN ? sbx_sh_function(p, begin, &name) : simple_rest(p, begin, &name);
}

/* The body of a coprocess: a compound command, or a simple one. A word in front of the first is the
 * coprocess's name, in front of the second the command's. */
static struct sbx_command *coproc_body(struct sbx_parser *p, struct sbx_command *coproc)
{
    struct sbx_lex *lex = &p->lex;
    uint32_t begin = lex->token_begin;
    struct sbx_lexword name = {.raw = ""};
    bool has_name = lex->token == T_WORD;
    if (has_name) {
        name = lex->word;
        sbx_sh_next(p);
    }
    struct sbx_command *body = sbx_sh_shell_command(p);
    if (body) {
        coproc->name = has_name ? name.raw : NULL;
        coproc->name_len = name.raw_len;
        return sbx_sh_redirs(p, body) ? body : NULL;
    }
    if (p->status != SBX_PARSE_OK)
        return NULL;
    if (has_name)
        return simple_rest(p, begin, &name);
    if (lex->token == T_ASSIGN || TOKEN_IN(lex->token, REDIR_TOKENS))
        return simple_rest(p, begin, NULL);
    (void)sbx_sh_unexpected(p);
    return NULL;
}

static struct sbx_command *coprocess(struct sbx_parser *p)
{
    struct sbx_command *command = sbx_sh_new_command(p, SBX_CMD_COPROC);
    uint32_t begin = p->lex.token_begin;
    if (!command)
        return NULL;
    sbx_sh_next(p);
    struct sbx_command *body = coproc_body(p, command);
    if (!body || !(command->body = sbx_sh_script_of(p, body)))
        return NULL;
    command->span = (struct sbx_span){sbx_sh_span(p, begin, begin).begin, body->span.end};
    return command;
}

struct sbx_command *sbx_sh_command(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    if (lex->token == T_WORD || lex->token == T_ASSIGN || TOKEN_IN(lex->token, REDIR_TOKENS))
        return simple_or_function(p);
    if (!sbx_sh_enter(p))
        return NULL;
    struct sbx_command *command = NULL;
    if (lex->token == T_COPROC) {
        command = coprocess(p);
    } else if (lex->token == T_FUNCTION) {
        command = sbx_sh_function(p, lex->token_begin, NULL);
    } else {
        command = sbx_sh_shell_command(p);
        if (command && !sbx_sh_redirs(p, command))
            command = NULL;
    }
    p->depth--;
    if (!command)
        (void)sbx_sh_unexpected(p);
    return p->status == SBX_PARSE_OK ? command : NULL;
}

/* --- pipelines and lists ------------------------------------------------------------------------------ */
static bool pipeline_commands(struct sbx_parser *p, struct sbx_pipeline *pipeline)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_command **tail = &pipeline->commands;
    for (;;) {
        if (!(*tail = sbx_sh_command(p)))
            return false;
        pipeline->span.end = (*tail)->span.end;
        if (lex->token != T_BAR && lex->token != T_BAR_AMP)
            return lex->token != T_ERROR;
        (*tail)->pipe_both = lex->token == T_BAR_AMP;
        tail = &(*tail)->next;
        sbx_sh_next(p);
        sbx_sh_newlines(p);
        if (lex->token == T_BANG || lex->token == T_TIME)
            return sbx_sh_unexpected(p);
    }
}

/* The words in front of a pipeline. True where commands follow; false where none do or on an error. */
static bool pipeline_prefix(struct sbx_parser *p, struct sbx_pipeline *pipeline)
{
    struct sbx_lex *lex = &p->lex;
    bool was_time = false, has_prefix = false;
    while (lex->token == T_BANG || lex->token == T_TIME) {
        has_prefix = true;
        was_time = lex->token == T_TIME;
        pipeline->timed |= was_time;
        pipeline->negated ^= lex->token == T_BANG;
        pipeline->span.end = sbx_sh_span(p, lex->token_end, lex->token_end).begin;
        sbx_sh_next(p);
        while (was_time && (lex->token == T_TIME_P || lex->token == T_TIME_END)) {
            pipeline->span.end = sbx_sh_span(p, lex->token_end, lex->token_end).begin;
            sbx_sh_next(p);
        }
    }
    bool may_end = lex->token == T_SEMI || lex->token == T_NEWLINE || lex->token == T_EOF ||
                   (was_time && lex->token == T_RPAREN && lex->is_comsub && !lex->parens);
    return !(has_prefix && may_end);
}

static struct sbx_pipeline *pipeline(struct sbx_parser *p)
{
    struct sbx_pipeline *made = sbx_sh_node(p, sizeof(*made));
    if (!made)
        return NULL;
    made->span = sbx_sh_span(p, p->lex.token_begin, p->lex.token_end);
    made->terminator = "";
    if (pipeline_prefix(p, made) && !pipeline_commands(p, made))
        return NULL;
    return p->lex.token == T_ERROR ? NULL : made;
}

/* `shopt -s extglob` among the pipelines of a line: the lines that follow are read with it. */
static void follow_extglob(struct sbx_parser *p, const struct sbx_pipeline *line)
{
    for (; line; line = line->next) {
        const struct sbx_command *command = line->commands;
        const char *want[] = {"shopt", NULL, NULL};
        char option = 0;
        if (!command || command->next || command->kind != SBX_CMD_SIMPLE)
            continue;
        size_t n = 0;
        for (const struct sbx_word *word = command->words; word; word = word->next, n++) {
            const struct sbx_part *part = word->parts;
            if (!part || part->next || part->kind != SBX_PART_LITERAL)
                break;
            if (n == 0 && (part->text_len != 5 || memcmp(part->text, want[0], 5)))
                break;
            if (n == 1 && part->text_len == 2 && part->text[0] == '-')
                option = part->text[1];
            if (n >= 2 && part->text_len == 7 && !memcmp(part->text, "extglob", 7)) {
                if (option == 's')
                    p->lex.flags |= LEX_EXTGLOB;
                else if (option == 'u')
                    p->lex.flags &= ~LEX_EXTGLOB;
            }
        }
    }
}

/* What follows a pipeline. True where another one may come; the token behind the separator is current. */
static bool separator(struct sbx_parser *p, struct sbx_pipeline *made)
{
    struct sbx_lex *lex = &p->lex;
    switch (lex->token) {
    case T_AND_AND:
    case T_OR_OR:
        made->terminator = lex->token == T_AND_AND ? "&&" : "||";
        sbx_sh_next(p);
        sbx_sh_newlines(p);
        if (!TOKEN_IN(lex->token, STARTER_TOKENS))
            return sbx_sh_unexpected(p);
        return true;
    case T_SEMI:
    case T_AMP:
        made->terminator = lex->token == T_SEMI ? ";" : "&";
        sbx_sh_next(p);
        return true;
    case T_NEWLINE:
        made->terminator = "\n";
        return true;
    default:
        return false;
    }
}

/* *line is where the last line begins that is not known to be whole. */
static bool fill_list(struct sbx_parser *p, struct sbx_script *script,
                      struct sbx_pipeline ***line_out)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_pipeline **tail = &script->pipelines, **line = tail;
    *line_out = line;
    sbx_sh_newlines(p);
    script->span = sbx_sh_span(p, lex->token_begin, lex->token_begin);
    bool goes_on = true;
    while (goes_on && TOKEN_IN(lex->token, STARTER_TOKENS)) {
        struct sbx_pipeline *made = pipeline(p);
        goes_on = made && separator(p, made);
        *line_out = line;
        if (!made || p->status != SBX_PARSE_OK)
            return false;
        *tail = made;
        tail = &made->next;
        script->span.end = made->span.end;
        if (lex->token == T_NEWLINE && goes_on) {
            made->ends_line = true;
            if (p->follow_extglob && !p->depth)
                follow_extglob(p, *line);
            *line_out = line = tail;
            sbx_sh_newlines(p);
        }
    }
    return lex->token != T_ERROR;
}

struct sbx_script *sbx_sh_list(struct sbx_parser *p)
{
    struct sbx_script *script = sbx_sh_node(p, sizeof(*script));
    struct sbx_pipeline **line;
    return script && fill_list(p, script, &line) ? script : NULL;
}

struct sbx_script *sbx_sh_compound(struct sbx_parser *p)
{
    struct sbx_script *script = sbx_sh_list(p);
    if (script && !script->pipelines) {
        (void)sbx_sh_unexpected(p);
        return NULL;
    }
    return script;
}

struct sbx_script *sbx_sh_input(struct sbx_parser *p)
{
    struct sbx_script *script = sbx_sh_node(p, sizeof(*script));
    if (!script)
        return NULL;
    struct sbx_pipeline **line = &script->pipelines;
    sbx_sh_next(p);
    if (fill_list(p, script, &line) && p->lex.token != T_EOF)
        (void)sbx_sh_unexpected(p);
    if (p->lex.pending && p->status == SBX_PARSE_OK)
        (void)sbx_sh_heredoc_gather(p);
    if (p->status != SBX_PARSE_OK)
        *line = NULL; /* a line that is not whole never runs */
    return script;
}
