/* Here-documents: bodies are taken by lines, and looked into only afterwards. */
#include "policy/shell_int.h"

#include <string.h>

#define MOST_PENDING 16 /* bash's own bound for one line */

bool sbx_sh_heredoc_add(struct sbx_parser *p, struct sbx_redir *redir,
                        const struct sbx_lexword *word)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_pending *pending = sbx_sh_node(p, sizeof(*pending));
    if (!pending)
        return false;
    if (lex->pending_count++ >= MOST_PENDING)
        return sbx_sh_fail(p, SBX_PARSE_SYNTAX, word->begin, "too many here-documents");
    pending->redir = redir;
    redir->heredoc_quoted = word->is_quoted;
    pending->delimiter = word->is_plain
                             ? word->raw
                             : sbx_sh_unquote(p, word->raw, word->raw_len, &pending->delimiter_len);
    if (word->is_plain)
        pending->delimiter_len = word->raw_len;
    if (!pending->delimiter)
        return false;
    if (!lex->pending)
        lex->pending_tail = &lex->pending;
    *lex->pending_tail = pending;
    lex->pending_tail = &pending->next;
    return true;
}

struct line {
    uint32_t begin, end; /* end: behind the newline */
    bool is_delimiter;
    uint32_t rest; /* where text goes on behind the delimiter */
};

/* The end of the line at pos: with an unquoted delimiter a backslash joins the next one to it. */
static uint32_t line_end(const struct sbx_lex *lex, uint32_t pos, bool joins)
{
    for (;;) {
        const char *end = memchr(lex->text + pos, '\n', lex->end - pos);
        if (!end)
            return lex->end;
        uint32_t newline = (uint32_t)(end - lex->text), slashes = 0;
        while (joins && newline - slashes > pos && lex->text[newline - slashes - 1] == '\\')
            slashes++;
        if (slashes % 2 == 0)
            return newline + 1;
        pos = newline + 1;
    }
}

/* The tabs in front of a line, which may go on behind a continuation. */
static uint32_t past_tabs(const struct sbx_lex *lex, uint32_t at, uint32_t end, bool joins)
{
    for (;;) {
        uint32_t next = at;
        while (joins && next + 1 < end && lex->text[next] == '\\' && lex->text[next + 1] == '\n')
            next += 2;
        if (next >= end || lex->text[next] != '\t')
            return at;
        at = next + 1;
    }
}

/* Does the line hold the delimiter and nothing else? Inside a substitution its ")" may follow. */
static void look_for_delimiter(const struct sbx_lex *lex, const struct sbx_pending *pending,
                               struct line *line)
{
    const struct sbx_redir *redir = pending->redir;
    bool joins = !redir->heredoc_quoted;
    uint32_t at = line->begin;
    size_t matched = 0;
    if (redir->heredoc_strip)
        at = past_tabs(lex, at, line->end, joins);
    for (; at < line->end && matched < pending->delimiter_len; at++) {
        if (joins && lex->text[at] == '\\' && at + 1 < line->end && lex->text[at + 1] == '\n') {
            at++;
            continue;
        }
        if (lex->text[at] != pending->delimiter[matched])
            return;
        matched++;
    }
    while (joins && at + 1 < line->end && lex->text[at] == '\\' && lex->text[at + 1] == '\n')
        at += 2;
    if (matched < pending->delimiter_len)
        return;
    if (at == line->end || lex->text[at] == '\n') {
        line->is_delimiter = at < line->end || line->end == lex->end;
        line->rest = line->end;
    } else if (lex->is_comsub && memchr(lex->text + at, ')', line->end - at)) {
        line->is_delimiter = true;
        line->rest = at;
    }
}

/* The body with the tabs in front of each line taken out, and a map from its bytes to the input's. */
static char *without_tabs(struct sbx_parser *p, uint32_t begin, uint32_t end, bool joins,
                          uint32_t **map, uint32_t *len)
{
    const struct sbx_lex *lex = &p->lex;
    char *copy = sbx_sh_bytes(p, end - begin + 1);
    *map = sbx_sh_bytes(p, (end - begin + 1) * sizeof(**map));
    if (!copy || !*map)
        return NULL;
    uint32_t out = 0;
    while (begin < end) {
        uint32_t stop = line_end(lex, begin, joins);
        begin = past_tabs(lex, begin, stop < end ? stop : end, joins);
        for (; begin < stop && begin < end; begin++) {
            (*map)[out] = lex->map ? lex->map[begin] : begin;
            copy[out++] = lex->text[begin];
        }
    }
    (*map)[out] = lex->map ? lex->map[end] : end;
    *len = out;
    return copy;
}

/* 'E': all bytes as they stand. raw: without the tabs, or the text itself. */
static struct sbx_word *quoted_body(struct sbx_parser *p, uint32_t begin, uint32_t end,
                                    const char *raw, size_t len)
{
    struct sbx_lexword word = {.begin = begin, .end = end, .raw = raw, .raw_len = len};
    struct sbx_word *body = sbx_sh_literal(p, &word);
    if (body && body->parts)
        body->parts->kind = SBX_PART_SINGLE;
    return body;
}

static bool set_body(struct sbx_parser *p, struct sbx_redir *redir, uint32_t begin, uint32_t end)
{
    const char *raw = p->lex.text + begin;
    uint32_t *map = NULL, len = end - begin;
    if (!sbx_sh_spend(p, len))
        return false;
    if (redir->heredoc_strip &&
        !(raw = without_tabs(p, begin, end, !redir->heredoc_quoted, &map, &len)))
        return false;
    if (redir->heredoc_quoted) {
        redir->heredoc = quoted_body(p, begin, end, raw, len);
        return redir->heredoc != NULL;
    }
    struct sbx_lex saved = p->lex;
    struct sbx_span span = sbx_sh_span(p, begin, end);
    if (redir->heredoc_strip) {
        p->lex.text = raw;
        p->lex.map = map;
        p->lex.end = end = len;
        p->lex.pos = begin = 0; /* a place in the body, should reading it fail */
    }
    redir->heredoc = sbx_sh_word(p, begin, end, WORD_HEREDOC | WORD_DQUOTE);
    p->lex = saved;
    if (redir->heredoc)
        redir->heredoc->span = span;
    return redir->heredoc != NULL;
}

/* One body from `pos` on. Returns where the text goes on behind it. */
static uint32_t take_body(struct sbx_parser *p, const struct sbx_pending *pending, uint32_t pos)
{
    struct sbx_redir *redir = pending->redir;
    struct sbx_lex *lex = &p->lex;
    struct line line = {.end = pos};
    while (!line.is_delimiter && line.end < lex->end) {
        line.begin = line.end;
        line.end = line_end(lex, line.begin, !redir->heredoc_quoted);
        look_for_delimiter(lex, pending, &line);
    }
    uint32_t end = line.is_delimiter ? line.begin : line.end;
    if (!line.is_delimiter) {
        redir->heredoc_unterminated = true;
        p->heredoc_warning = true;
        p->heredoc_open = true;
        line.rest = lex->end;
    }
    return set_body(p, redir, pos, end) ? line.rest : pos;
}

bool sbx_sh_heredoc_gather(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    const struct sbx_pending *pending = lex->pending;
    uint32_t pos = lex->pos;
    bool is_inline = pos > 0 && lex->text[pos - 1] != '\n' && pos < lex->end;
    uint32_t newline = 0;
    lex->pending = NULL;
    lex->pending_count = 0;
    if (is_inline) {
        /* A substitution ended before its line did: the body begins on the next line, and the rest
         * of this one comes first. */
        const char *end = memchr(lex->text + pos, '\n', lex->end - pos);
        if (!end)
            pos = lex->end;
        else
            newline = (uint32_t)(end - lex->text);
        p->heredoc_warning = true;
        if (end)
            pos = newline == lex->jump_at ? lex->jump_to : newline + 1;
    }
    for (; pending; pending = pending->next) {
        pos = take_body(p, pending, pos);
        if (p->status != SBX_PARSE_OK)
            return false;
    }
    if (!is_inline) {
        lex->pos = pos;
    } else if (newline) {
        lex->jump_at = newline;
        lex->jump_to = pos;
    }
    return true;
}
