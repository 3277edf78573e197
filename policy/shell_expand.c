/* The second pass: substitutions, patterns, tildes. */
#include "policy/shell_int.h"

#include <string.h>

/* The byte at pos with continuation lines taken out; *pos moves behind it. -1 at the end. */
static int peek(const struct sbx_builder *b, uint32_t *pos)
{
    const char *text = b->p->lex.text;
    while (*pos + 1 < b->end && text[*pos] == '\\' && text[*pos + 1] == '\n')
        *pos += 2;
    return *pos < b->end ? (unsigned char)text[(*pos)++] : -1;
}

/* Finds the end of the substitution whose "(" is at `open`, as the first pass would. What it refuses
 * reaches to the end of what we look at. */
static struct sbx_memo find_comsub(struct sbx_builder *b, uint32_t open)
{
    struct sbx_parser *p = b->p;
    const char *key = p->lex.text + open;
    struct sbx_memo *known = sbx_sh_recall(p, key);
    if (known && known->end <= b->end)
        return *known;
    struct sbx_memo none = {.key = key, .end = b->end};
    uint32_t pos = p->lex.pos, end = p->lex.end, jump = p->lex.jump_at;
    p->lex.pos = open + 1;
    p->lex.end = b->end;
    p->lex.jump_at = UINT32_MAX;
    p->soft++;
    bool was_cond_error = p->is_cond_error;
    bool is_ok = sbx_sh_skip_comsub(p);
    p->is_cond_error = was_cond_error;
    p->soft--;
    p->lex.pos = pos;
    p->lex.end = end;
    p->lex.jump_at = jump;
    if (is_ok && (known = sbx_sh_recall(p, key)))
        return *known;
    if (p->status == SBX_PARSE_SYNTAX || p->status == SBX_PARSE_INCOMPLETE)
        p->status = SBX_PARSE_OK;
    return none;
}

/* The tree of a substitution is made once, and may stand in several places: each after the first counts
 * like a tree of its own, since whoever walks them walks it again. */
static struct sbx_script *share(struct sbx_parser *p, const struct sbx_memo *memo)
{
    struct sbx_memo *kept = sbx_sh_recall(p, memo->key);
    if (kept && kept->is_used && !sbx_sh_count(p, kept->nodes))
        return NULL;
    if (kept)
        kept->is_used = true;
    return memo->script;
}

/* "$(", "<(" or ">(": `begin` is at the first byte, `open` at the parenthesis. */
static bool comsub(struct sbx_builder *b, uint32_t begin, uint32_t open)
{
    struct sbx_parser *p = b->p;
    char first = p->lex.text[begin];
    if (!sbx_sh_flush(b, begin))
        return false;
    struct sbx_memo memo = find_comsub(b, open);
    if (p->status != SBX_PARSE_OK)
        return false;
    b->pos = b->literal = memo.end;
    bool is_arith = memo.is_arith && first == '$';
    enum sbx_part_kind kind = is_arith       ? SBX_PART_ARITH
                              : first == '$' ? SBX_PART_COMMAND
                                             : SBX_PART_PROCESS;
    struct sbx_part *part = sbx_sh_part(b, kind, begin);
    if (!part)
        return false;
    if (is_arith) {
        uint32_t inner = open + 1, close = memo.end - 1;
        while (p->lex.text[inner] != '(')
            inner++;
        while (p->lex.text[close - 1] != ')')
            close--;
        struct sbx_builder arith = {
            .p = p, .pos = inner + 1, .end = close - 1, .flags = WORD_ARITH};
        if (!sbx_sh_enter(p) || !sbx_sh_build(&arith))
            return false;
        p->depth--;
        part->parts = arith.head;
        return true;
    }
    part->op = first == '$' ? 0 : first;
    part->script = memo.is_parens ? sbx_sh_soft(p, p->lex.text, open + 1, memo.end - 1, p->lex.map)
                                  : share(p, &memo);
    if (part->script) {
        part->code = p->lex.text + open + 1;
        part->code_len = memo.end - open - 2;
    }
    return p->status == SBX_PARSE_OK;
}

bool sbx_sh_process(struct sbx_builder *b)
{
    return comsub(b, b->pos, b->pos + 1);
}

/* $[...] */
static bool old_arith(struct sbx_builder *b, uint32_t begin, uint32_t inner)
{
    struct sbx_builder arith = {.p = b->p,
                                .pos = inner,
                                .end = b->end,
                                .flags = WORD_ARITH,
                                .stop = ']',
                                .nest_open = '[',
                                .nest_close = ']'};
    if (!sbx_sh_flush(b, begin) || !sbx_sh_enter(b->p) || !sbx_sh_build(&arith))
        return false;
    b->p->depth--;
    b->pos = arith.pos < b->end ? arith.pos + 1 : b->end;
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_ARITH, begin);
    if (!part)
        return false;
    part->parts = arith.head;
    b->literal = b->pos;
    return true;
}

/* $'...' */
static bool ansi(struct sbx_builder *b, uint32_t begin, uint32_t inner)
{
    const char *text = b->p->lex.text;
    uint32_t end = inner;
    if (!sbx_sh_flush(b, begin))
        return false;
    while (end < b->end && text[end] != '\'')
        end += text[end] == '\\' && end + 1 < b->end ? 2 : 1;
    b->pos = end < b->end ? end + 1 : end;
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_ANSI, begin);
    if (!part || !sbx_sh_ansi(b->p, text + inner, end - inner, part))
        return false;
    b->literal = b->pos;
    return true;
}

/* ${...} */
static bool braced(struct sbx_builder *b, uint32_t begin, uint32_t inner)
{
    if (!sbx_sh_flush(b, begin) || !sbx_sh_enter(b->p))
        return false;
    b->pos = inner;
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_PARAM, begin);
    bool is_ok = part && sbx_sh_param_brace(b, part);
    b->p->depth--;
    if (!is_ok)
        return false;
    part->op = '{';
    part->span = sbx_sh_span(b->p, begin, b->pos);
    b->literal = b->pos;
    return true;
}

/* $x, $1, $? : `name` is at its first byte. */
static bool simple(struct sbx_builder *b, uint32_t begin, uint32_t name)
{
    struct sbx_parser *p = b->p;
    const char *text = p->lex.text;
    uint32_t end = name + 1;
    bool has_continuation = false;
    if (!sbx_sh_flush(b, begin))
        return false;
    if (sbx_sh_is_letter((unsigned char)text[name])) {
        uint32_t next = end;
        for (; sbx_sh_is(peek(b, &next), BYTE_NAME); end = next)
            has_continuation |= next != end + 1;
    }
    b->pos = end;
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_PARAM, begin);
    if (!part || !(part->param = sbx_sh_bytes(p, sizeof(*part->param))))
        return false;
    part->param->op = "";
    part->param->name = text + name;
    part->param->name_len = end - name;
    if (has_continuation) {
        char *copy = sbx_sh_bytes(p, end - name);
        if (!copy)
            return false;
        size_t len = 0;
        for (uint32_t i = name; i < end; i++)
            if (sbx_sh_is((unsigned char)text[i], BYTE_NAME))
                copy[len++] = text[i];
        part->param->name = copy;
        part->param->name_len = len;
    }
    b->literal = end;
    return true;
}

bool sbx_sh_dollar(struct sbx_builder *b)
{
    uint32_t begin = b->pos, next = begin + 1;
    int byte = peek(b, &next);
    bool is_quoted = (b->flags & (WORD_DQUOTE | WORD_ARITH)) != 0;
    if (byte == '(')
        return comsub(b, begin, next - 1);
    if (byte == '{')
        return braced(b, begin, next);
    if (byte == '[')
        return old_arith(b, begin, next);
    /* Also inside "${...}", where bash takes quotes apart as it reads; not so in a here-document. */
    bool is_operand = (b->flags & WORD_OPERAND) && !(b->flags & WORD_HEREDOC);
    if (byte == '\'' && (!is_quoted || is_operand))
        return ansi(b, begin, next);
    if (byte == '"' && (!is_quoted || is_operand)) {
        b->pos = next - 1;
        return sbx_sh_double(b, begin);
    }
    if (sbx_sh_is(byte, BYTE_NAME | BYTE_SPECIAL))
        return simple(b, begin, next - 1);
    b->pos++;
    return true;
}

/* --- `...` ------------------------------------------------------------------------------------------ */
/* Takes out the backslashes that bash takes out before it reads what stands between backquotes. */
static char *without_escapes(struct sbx_builder *b, uint32_t begin, uint32_t end, uint32_t **map,
                             uint32_t *len)
{
    struct sbx_parser *p = b->p;
    const char *text = p->lex.text;
    bool in_double = (b->flags & WORD_DQUOTE) && !(b->flags & WORD_HEREDOC);
    char *copy = sbx_sh_bytes(p, end - begin + 1);
    *map = sbx_sh_bytes(p, (end - begin + 1) * sizeof(**map));
    if (!copy || !*map || !sbx_sh_spend(p, 2 * (size_t)(end - begin)))
        return NULL;
    uint32_t out = 0;
    for (uint32_t i = begin; i < end; i++) {
        char next = i + 1 < end ? text[i + 1] : '\0';
        (*map)[out] = p->lex.map ? p->lex.map[i] : i;
        if (text[i] == '\\' && next && (strchr("$`\\", next) || (next == '"' && in_double)))
            i++;
        copy[out++] = text[i];
    }
    (*map)[out] = p->lex.map ? p->lex.map[end] : end;
    *len = out;
    return copy;
}

bool sbx_sh_backquote(struct sbx_builder *b)
{
    struct sbx_parser *p = b->p;
    const char *text = p->lex.text;
    uint32_t begin = b->pos, inner = begin + 1, end = inner;
    if (!sbx_sh_flush(b, begin))
        return false;
    bool has_escape = false;
    while (end < b->end && text[end] != '`') {
        has_escape |= text[end] == '\\';
        end += text[end] == '\\' && end + 1 < b->end ? 2 : 1;
    }
    b->pos = end < b->end ? end + 1 : end;
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_COMMAND, begin);
    if (!part)
        return false;
    part->is_backquote = true;
    b->literal = b->pos;
    part->code = text + inner;
    part->code_len = end - inner;
    if (!has_escape) {
        part->script = sbx_sh_soft(p, text, inner, end, p->lex.map);
    } else {
        uint32_t *map, len = 0;
        char *copy = without_escapes(b, inner, end, &map, &len);
        part->script = copy ? sbx_sh_soft(p, copy, 0, len, map) : NULL;
        part->code = copy;
        part->code_len = len;
    }
    return p->status == SBX_PARSE_OK;
}

/* --- ~ ------------------------------------------------------------------------------------------------ */
bool sbx_sh_tilde(struct sbx_builder *b)
{
    const char *text = b->p->lex.text;
    uint32_t begin = b->pos, end = begin + 1;
    bool ends_at_colon = (b->flags & WORD_COLON) || ((b->flags & WORD_ASSIGN) && b->is_assignment);
    bool is_split = false;
    while (end < b->end && text[end] != '/' && !(text[end] == ':' && ends_at_colon) &&
           text[end] != b->stop && text[end] != b->stop2) {
        /* The name goes on in a brace or on the next line: not looked for. */
        is_split = (text[end] == '{' && (b->flags & WORD_BRACES)) ||
                   (text[end] == '\\' && end + 1 < b->end && text[end + 1] == '\n');
        if (is_split)
            break;
        if (strchr("\\'\"`$*?[<>", text[end]))
            return true; /* not a name: the ~ is a byte like others */
        end++;
    }
    const char *colon = memchr(text + begin, ':', end - begin);
    if (colon) {
        end = (uint32_t)(colon - text);
    }
    if (!sbx_sh_flush(b, begin))
        return false;
    b->pos = end;
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_TILDE, begin);
    if (!part)
        return false;
    part->text = is_split ? "?" : text + begin + 1;
    part->text_len = is_split ? 1 : end - begin - 1;
    b->literal = end;
    return true;
}

/* --- [...] and ?(...) ------------------------------------------------------------------------------------ */
struct bracket {
    uint32_t end; /* behind the ], or where the search ended */
    bool is_closed, is_static, has_quote;
};

static struct bracket find_bracket(const struct sbx_builder *b)
{
    const char *text = b->p->lex.text;
    struct bracket found = {.end = b->pos + 1, .is_static = true};
    uint32_t first = b->pos + 1;
    if (first < b->end && (text[first] == '!' || text[first] == '^'))
        first++;
    for (uint32_t i = b->pos + 1; i < b->end; i++) {
        found.end = i;
        char byte = text[i];
        if (byte == ']' && i > first) {
            found.is_closed = true;
            found.end = i + 1;
            return found;
        }
        bool is_break = byte == '/' || (b->stop && byte == b->stop) || byte == '\n';
        if (is_break || sbx_sh_is((unsigned char)byte, BYTE_BLANK))
            return found;
        if (byte == '[' && i + 1 < b->end && strchr(":.=", text[i + 1])) {
            /* [:class:] has a ] of its own. */
            for (uint32_t j = i + 2; j + 1 < b->end && j < i + 32; j++)
                if (text[j] == text[i + 1] && text[j + 1] == ']') {
                    i = j + 1;
                    break;
                }
        } else if (byte == '\\' || byte == '\'' || byte == '"' || byte == '$' || byte == '`') {
            found.is_static = false;
            return found;
        } else if (strchr("{,}", byte) && (b->flags & WORD_BRACES) &&
                   (b->has_brace || byte == '{')) {
            found.is_static = false;
            return found;
        }
    }
    found.end = b->end;
    return found;
}

bool sbx_sh_bracket(struct sbx_builder *b)
{
    const char *text = b->p->lex.text;
    uint32_t begin = b->pos;
    struct bracket found = {.end = begin};
    if (begin >= b->no_bracket)
        found = find_bracket(b);
    if (!found.is_closed && found.is_static) {
        /* An unclosed [ is a byte like others, and so is each one before the place searched. */
        if (begin >= b->no_bracket)
            b->no_bracket = found.end;
        b->pos++;
        return true;
    }
    if (!sbx_sh_flush(b, begin))
        return false;
    b->pos = found.is_closed ? found.end : begin + 1;
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_GLOB, begin);
    if (!part)
        return false;
    part->text = text + begin;
    part->text_len = b->pos - begin;
    b->literal = b->pos;
    return true;
}

/* One of ?*+@! and "(": alternatives between bars. */
bool sbx_sh_extglob(struct sbx_builder *b)
{
    struct sbx_parser *p = b->p;
    uint32_t begin = b->pos;
    if (!sbx_sh_flush(b, begin) || !sbx_sh_enter(p))
        return false;
    struct sbx_word *words = NULL, **tail = &words;
    struct sbx_builder inner = {.p = p,
                                .pos = begin + 2,
                                .end = b->end,
                                .flags = WORD_GLOB | WORD_EXTGLOB,
                                .stop = ')',
                                .stop2 = '|'};
    for (bool goes_on = true; goes_on;) {
        struct sbx_word *word = sbx_sh_node(p, sizeof(*word));
        uint32_t from = inner.pos;
        inner.head = NULL;
        if (!word || !sbx_sh_build(&inner))
            return false;
        word->span = sbx_sh_span(p, from, inner.pos);
        word->parts = inner.head;
        *tail = word;
        tail = &word->next;
        goes_on = inner.pos < inner.end && p->lex.text[inner.pos] == '|';
        inner.pos += inner.pos < inner.end;
    }
    p->depth--;
    b->pos = inner.pos;
    struct sbx_part *part = sbx_sh_part(b, SBX_PART_EXTGLOB, begin);
    if (!part)
        return false;
    part->op = p->lex.text[begin];
    part->words = words;
    b->literal = b->pos;
    return true;
}
