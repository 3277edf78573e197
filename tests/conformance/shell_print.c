#include "tests/conformance/shell_print.h"

#include <string.h>

#define PENDING_MOST 64

struct printer {
    FILE *out;
    const char *source;
    size_t len;
    const struct sbx_redir *pending[PENDING_MOST]; /* here-documents of the line */
    unsigned count;
};

static void script(struct printer *p, const struct sbx_script *node);
static void command(struct printer *p, const struct sbx_command *node);

static void put(struct printer *p, const char *text)
{
    (void)fputs(text, p->out);
}

static void span(struct printer *p, struct sbx_span span)
{
    if (span.begin <= span.end && span.end <= p->len)
        (void)fwrite(p->source + span.begin, 1, span.end - span.begin, p->out);
}

/* The line that ended the body; where the text did, what the delimiter says without its quotes. */
static void heredoc_end(struct printer *p, const struct sbx_redir *redir)
{
    const char *from = p->source + redir->heredoc->span.end, *end = p->source + p->len;
    const char *line = memchr(from, '\n', (size_t)(end - from));
    /* A backslash joins it with the next line. */
    while (line && line > from && line[-1] == '\\' && !redir->heredoc_quoted)
        line = memchr(line + 1, '\n', (size_t)(end - line - 1));
    if (!redir->heredoc_unterminated) {
        (void)fwrite(from, 1, (size_t)((line ? line : end) - from), p->out);
        return;
    }
    for (uint32_t i = redir->target->span.begin; i < redir->target->span.end; i++) {
        if (p->source[i] == '\\' && i + 1 < redir->target->span.end)
            (void)fputc(p->source[++i], p->out);
        else if (!strchr("'\"", p->source[i]))
            (void)fputc(p->source[i], p->out);
    }
}

static void newline(struct printer *p)
{
    (void)fputc('\n', p->out);
    unsigned count = p->count;
    p->count = 0;
    for (unsigned i = 0; i < count; i++) {
        span(p, p->pending[i]->heredoc->span);
        heredoc_end(p, p->pending[i]);
        (void)fputc('\n', p->out);
    }
}

static void redirs(struct printer *p, const struct sbx_redir *redir)
{
    for (; redir; redir = redir->next) {
        put(p, " ");
        span(p, redir->span);
        if (redir->kind == SBX_REDIR_HEREDOC && p->count < PENDING_MOST)
            p->pending[p->count++] = redir;
    }
}

/* Assignments, words and redirections in the order of the source. */
static void simple(struct printer *p, const struct sbx_command *node)
{
    const struct sbx_assign *assign = node->assigns;
    const struct sbx_word *word = node->words;
    const struct sbx_redir *redir = node->redirs;
    while (assign || word || redir) {
        uint32_t a = assign ? assign->span.begin : UINT32_MAX;
        uint32_t w = word ? word->span.begin : UINT32_MAX;
        uint32_t r = redir ? redir->span.begin : UINT32_MAX;
        if (r < a && r < w) {
            const struct sbx_redir one = {
                .next = NULL, .kind = SBX_REDIR_READ, .span = redir->span};
            redirs(p, &one);
            if (redir->kind == SBX_REDIR_HEREDOC && p->count < PENDING_MOST)
                p->pending[p->count++] = redir;
            redir = redir->next;
            continue;
        }
        put(p, " ");
        span(p, a < w ? assign->span : word->span);
        if (a < w)
            assign = assign->next;
        else
            word = word->next;
    }
}

static void words(struct printer *p, const struct sbx_word *word, const char *between)
{
    for (; word; word = word->next) {
        span(p, word->span);
        put(p, word->next ? between : "");
    }
}

static void block(struct printer *p, const char *before, const struct sbx_script *body,
                  const char *after)
{
    put(p, before);
    newline(p);
    if (body)
        script(p, body);
    put(p, after);
}

static void if_command(struct printer *p, const struct sbx_command *node)
{
    for (const struct sbx_clause *c = node->clauses; c; c = c->next) {
        if (c->condition)
            block(p, c == node->clauses ? "if" : "elif", c->condition, "then");
        else
            put(p, "else");
        newline(p);
        script(p, c->body);
    }
    put(p, "fi");
}

static void case_command(struct printer *p, const struct sbx_command *node)
{
    put(p, "case ");
    words(p, node->subject, " ");
    put(p, " in");
    newline(p);
    for (const struct sbx_clause *c = node->clauses; c; c = c->next) {
        put(p, "(");
        words(p, c->patterns, " | ");
        block(p, ")", c->body, *c->terminator ? c->terminator : ";;");
        newline(p);
    }
    put(p, "esac");
}

static void name(struct printer *p, const struct sbx_command *node)
{
    (void)fwrite(node->name, 1, node->name_len, p->out);
}

static void loop(struct printer *p, const struct sbx_command *node)
{
    switch (node->kind) {
    case SBX_CMD_ARITH_FOR:
        put(p, "for ((");
        words(p, node->words, ";");
        put(p, "))");
        break;
    case SBX_CMD_FOR:
    case SBX_CMD_SELECT:
        put(p, node->kind == SBX_CMD_FOR ? "for " : "select ");
        name(p, node);
        put(p, node->has_in ? " in " : "");
        words(p, node->words, " ");
        break;
    default:
        block(p, node->kind == SBX_CMD_WHILE ? "while" : "until", node->condition, "");
    }
    newline(p);
    block(p, "do", node->body, "done");
}

static void compound(struct printer *p, const struct sbx_command *node)
{
    switch (node->kind) {
    case SBX_CMD_GROUP:
        block(p, "{", node->body, "}");
        break;
    case SBX_CMD_SUBSHELL:
        block(p, "(", node->body, ")");
        break;
    case SBX_CMD_IF:
        if_command(p, node);
        break;
    case SBX_CMD_CASE:
        case_command(p, node);
        break;
    case SBX_CMD_FUNCTION:
        /* Only at the beginning of a command may a name hold a subscript with operators in it, and only
         * behind `function` may it be a reserved word. */
        if (!strncmp(p->source + node->span.begin, "function", sizeof("function") - 1))
            put(p, "function ");
        name(p, node);
        put(p, " ()");
        newline(p);
        command(p, node->body->pipelines->commands);
        break;
    case SBX_CMD_COPROC:
        put(p, "coproc ");
        if (node->name && node->body->pipelines->commands->kind != SBX_CMD_SIMPLE)
            name(p, node);
        put(p, " ");
        command(p, node->body->pipelines->commands);
        break;
    case SBX_CMD_COND:
        put(p, "[[ ");
        words(p, node->words, " ");
        put(p, " ]]");
        break;
    case SBX_CMD_ARITH:
        put(p, "((");
        words(p, node->words, "");
        put(p, "))");
        break;
    default:
        loop(p, node);
    }
}

static void command(struct printer *p, const struct sbx_command *node)
{
    if (node->kind == SBX_CMD_SIMPLE) {
        simple(p, node);
        return;
    }
    compound(p, node);
    redirs(p, node->redirs);
}

static void script(struct printer *p, const struct sbx_script *node)
{
    for (const struct sbx_pipeline *one = node->pipelines; one; one = one->next) {
        /* `time -p` and `! !` are not told apart from `time` and nothing in the tree. */
        if (one->timed || !one->commands)
            span(p, (struct sbx_span){one->span.begin,
                                      one->commands ? one->commands->span.begin : one->span.end});
        else
            put(p, one->negated ? "! " : "");
        for (const struct sbx_command *c = one->commands; c; c = c->next) {
            command(p, c);
            if (!c->next)
                break;
            put(p, c->pipe_both ? " |&" : " |");
            /* On a line of its own `time` would be the reserved word, which it is not behind a bar. */
            if (p->count)
                newline(p);
        }
        if (one->terminator[0] == '&' || one->terminator[0] == '|') {
            put(p, " ");
            put(p, one->terminator);
        }
        newline(p);
    }
}

void shell_print(FILE *out, const char *source, size_t len, const struct sbx_script *node)
{
    struct printer p = {.out = out, .source = source, .len = len};
    script(&p, node);
}
