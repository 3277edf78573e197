/* Text to syntax tree: any bytes must give a tree whose every byte range lies in the input, or a place
 * and a reason. The first byte chooses the flags. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "policy/shell.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct walk {
    size_t len; /* of the input */
    size_t nodes;
    unsigned depth;
};

static void script(struct walk *w, const struct sbx_script *node);
static void words(struct walk *w, const struct sbx_word *node);

static void check(int is_good)
{
    if (!is_good)
        abort();
}

static void span(struct walk *w, struct sbx_span span)
{
    check(span.begin <= span.end && span.end <= w->len);
    check(++w->nodes < 4u * SBX_SHELL_MAX_NODES);
}

/* Reads every byte, so that the sanitizer sees them. */
static void bytes(const char *text, size_t len)
{
    volatile unsigned char sum = 0;
    for (size_t i = 0; i < len; i++)
        sum = (unsigned char)(sum + (unsigned char)text[i]);
}

static void param(struct walk *w, const struct sbx_param *node)
{
    bytes(node->name, node->name_len);
    check(node->op != NULL);
    check(node->name_len > 0 || node->bad);
    words(w, node->subscript);
    words(w, node->arg);
    words(w, node->arg2);
}

static void parts(struct walk *w, const struct sbx_part *node)
{
    check(++w->depth < 4 * SBX_SHELL_MAX_DEPTH);
    for (; node; node = node->next) {
        span(w, node->span);
        check(node->kind <= SBX_PART_TILDE);
        check((node->kind == SBX_PART_PARAM) == (node->param != NULL));
        check(node->kind == SBX_PART_BRACE || node->kind == SBX_PART_EXTGLOB || !node->words);
        if (node->text)
            bytes(node->text, node->text_len);
        if (node->param)
            param(w, node->param);
        if (node->script)
            script(w, node->script);
        words(w, node->words);
        parts(w, node->parts);
    }
    w->depth--;
}

static void words(struct walk *w, const struct sbx_word *node)
{
    for (; node; node = node->next) {
        span(w, node->span);
        parts(w, node->parts);
    }
}

static void assigns(struct walk *w, const struct sbx_assign *node)
{
    for (; node; node = node->next) {
        span(w, node->span);
        bytes(node->name, node->name_len);
        words(w, node->subscript);
        words(w, node->value);
        assigns(w, node->elements);
    }
}

static void command(struct walk *w, const struct sbx_command *node)
{
    span(w, node->span);
    check(node->kind <= SBX_CMD_ARITH);
    assigns(w, node->assigns);
    words(w, node->words);
    words(w, node->subject);
    bytes(node->name, node->name_len);
    for (const struct sbx_redir *redir = node->redirs; redir; redir = redir->next) {
        span(w, redir->span);
        check(redir->target != NULL);
        words(w, redir->target);
        words(w, redir->heredoc);
        check(redir->kind != SBX_REDIR_HEREDOC || redir->heredoc);
    }
    for (const struct sbx_clause *clause = node->clauses; clause; clause = clause->next) {
        span(w, clause->span);
        words(w, clause->patterns);
        if (clause->condition)
            script(w, clause->condition);
        if (clause->body)
            script(w, clause->body);
    }
    if (node->condition)
        script(w, node->condition);
    if (node->body)
        script(w, node->body);
}

static void script(struct walk *w, const struct sbx_script *node)
{
    check(++w->depth < 4 * SBX_SHELL_MAX_DEPTH);
    span(w, node->span);
    for (const struct sbx_pipeline *pipeline = node->pipelines; pipeline;
         pipeline = pipeline->next) {
        span(w, pipeline->span);
        check(pipeline->terminator != NULL);
        for (const struct sbx_command *one = pipeline->commands; one; one = one->next)
            command(w, one);
    }
    w->depth--;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sbx_arena arena;
    struct sbx_parse parse;
    if (size < 1)
        return 0;
    unsigned flags = data[0] & (SBX_SHELL_EXTGLOB | SBX_SHELL_FOLLOW_EXTGLOB);
    size_t len = size - 1;
    char *text = malloc(len ? len : 1); /* its own block: a byte too far is seen */
    if (!text)
        return 0;
    memcpy(text, data + 1, len);
    sbx_arena_init(&arena, (size_t)256 * 1024 * 1024);
    sbx_shell_parse_flags(&arena, text, len, flags, &parse);
    struct walk w = {.len = len};
    check((parse.status == SBX_PARSE_OK) == (parse.script != NULL));
    check(parse.error_at <= len);
    check(memchr(parse.message, '\0', sizeof(parse.message)) != NULL);
    check(parse.status == SBX_PARSE_OK || parse.message[0]);
    check(!(parse.status == SBX_PARSE_INCOMPLETE) || parse.wants_more);
    if (parse.script)
        script(&w, parse.script);
    if (parse.partial)
        script(&w, parse.partial);
    sbx_arena_free(&arena);
    free(text);
    return 0;
}
