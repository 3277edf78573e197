/* Two trees side by side. What may differ: byte ranges, and what ends a line. */
#include <string.h>

#include "tests/conformance/shell_print.h"

static bool words(const struct sbx_word *a, const struct sbx_word *b);

static bool bytes(const char *a, size_t a_len, const char *b, size_t b_len)
{
    return !a == !b && a_len == b_len && (!a || !memcmp(a, b, a_len));
}

static bool text(const char *a, const char *b)
{
    return !a == !b && (!a || !strcmp(a, b));
}

static bool param(const struct sbx_param *a, const struct sbx_param *b)
{
    if (!a || !b)
        return a == b;
    return bytes(a->name, a->name_len, b->name, b->name_len) && a->indirect == b->indirect &&
           a->length == b->length && a->prefix_list == b->prefix_list && a->bad == b->bad &&
           words(a->subscript, b->subscript) && text(a->op, b->op) && words(a->arg, b->arg) &&
           words(a->arg2, b->arg2);
}

static bool parts(const struct sbx_part *a, const struct sbx_part *b)
{
    for (; a && b; a = a->next, b = b->next) {
        bool same = a->kind == b->kind && a->op == b->op && a->is_sequence == b->is_sequence &&
                    a->is_backquote == b->is_backquote && param(a->param, b->param) &&
                    bytes(a->text, a->text_len, b->text, b->text_len) &&
                    words(a->words, b->words) && parts(a->parts, b->parts) &&
                    shell_same(a->script, b->script);
        if (!same)
            return false;
    }
    return a == b;
}

static bool words(const struct sbx_word *a, const struct sbx_word *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (!parts(a->parts, b->parts))
            return false;
    return a == b;
}

static bool assigns(const struct sbx_assign *a, const struct sbx_assign *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (!bytes(a->name, a->name_len, b->name, b->name_len) || a->append != b->append ||
            a->is_array != b->is_array || !words(a->subscript, b->subscript) ||
            !words(a->value, b->value) || !assigns(a->elements, b->elements))
            return false;
    return a == b;
}

static bool redirs(const struct sbx_redir *a, const struct sbx_redir *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (a->kind != b->kind || a->fd != b->fd || !text(a->fd_var, b->fd_var) ||
            !words(a->target, b->target) || a->heredoc_quoted != b->heredoc_quoted ||
            a->heredoc_strip != b->heredoc_strip || !words(a->heredoc, b->heredoc))
            return false;
    return a == b;
}

static bool clauses(const struct sbx_clause *a, const struct sbx_clause *b, bool is_case)
{
    for (; a && b; a = a->next, b = b->next) {
        bool last = is_case && (!*a->terminator || !*b->terminator);
        if (!shell_same(a->condition, b->condition) || !words(a->patterns, b->patterns) ||
            !shell_same(a->body, b->body) || (!last && !text(a->terminator, b->terminator)))
            return false;
    }
    return a == b;
}

static bool commands(const struct sbx_command *a, const struct sbx_command *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (a->kind != b->kind || !bytes(a->name, a->name_len, b->name, b->name_len) ||
            a->has_in != b->has_in || a->pipe_both != b->pipe_both ||
            !assigns(a->assigns, b->assigns) || !words(a->words, b->words) ||
            !redirs(a->redirs, b->redirs) || !words(a->subject, b->subject) ||
            !shell_same(a->condition, b->condition) || !shell_same(a->body, b->body) ||
            !clauses(a->clauses, b->clauses, a->kind == SBX_CMD_CASE))
            return false;
    return a == b;
}

/* ; and a newline are one to a list. */
static char end_of(const char *terminator)
{
    if (terminator[0] == '&' && terminator[1])
        return 'a';
    return strchr(";\n", terminator[0]) ? ';' : terminator[0];
}

bool shell_same(const struct sbx_script *a, const struct sbx_script *b)
{
    const struct sbx_pipeline *p = a ? a->pipelines : NULL, *q = b ? b->pipelines : NULL;
    for (; p && q; p = p->next, q = q->next)
        if (p->negated != q->negated || p->timed != q->timed ||
            end_of(p->terminator) != end_of(q->terminator) || !commands(p->commands, q->commands))
            return false;
    return p == q;
}
