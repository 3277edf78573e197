/* Words: where one ends, and what kind of token it is. */
#include "policy/shell_int.h"

#include <limits.h>
#include <string.h>

struct scan {
    struct sbx_lexword *word;
    bool has_continuation;
    bool saw_equals;  /* only the first = makes an assignment */
    bool saw_bracket; /* only the first [ a subscript */
};

static size_t name_len(const char *text, size_t len)
{
    size_t n = 0;
    if (!len || !sbx_sh_is_letter((unsigned char)text[0]))
        return 0;
    while (n < len && sbx_sh_is((unsigned char)text[n], BYTE_NAME))
        n++;
    return n;
}

/* The token so far, without continuation lines. */
static bool token_text(struct sbx_parser *p, struct sbx_lexword *word, uint32_t end,
                       bool has_continuation)
{
    const char *text = p->lex.text;
    word->raw = text + word->begin;
    word->raw_len = end - word->begin;
    if (!has_continuation)
        return true;
    char *copy = sbx_sh_bytes(p, word->raw_len + 1);
    if (!copy || !sbx_sh_spend(p, word->raw_len))
        return false;
    size_t len = 0;
    bool in_single = false;
    for (uint32_t i = word->begin; i < end; i++) {
        if (text[i] == '\'')
            in_single = !in_single;
        if (text[i] == '\\' && !in_single && i + 1 < end) {
            if (text[++i] == '\n')
                continue;
            copy[len++] = '\\';
        }
        copy[len++] = text[i];
    }
    word->raw = copy;
    word->raw_len = len;
    return true;
}

/* Behind the subscript that begins at text[at], or 0 where it does not end. */
static size_t subscript_end(const char *text, size_t at, size_t len)
{
    unsigned count = 0;
    for (size_t i = at; i < len; i++) {
        if (text[i] == '\\')
            i++;
        else if (text[i] == '\'' || text[i] == '"' || text[i] == '`') {
            const char *close = memchr(text + i + 1, text[i], len - i - 1);
            if (!close)
                return 0;
            i = (size_t)(close - text);
        } else if (text[i] == '[') {
            count++;
        } else if (text[i] == ']' && --count == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* Has the token the form of an assignment? */
static bool is_assignment(const struct sbx_lexword *word, bool in_compound)
{
    const char *text = word->raw;
    size_t len = word->raw_len, at = name_len(text, len);
    if (!at && !(in_compound && len && text[0] == '['))
        return false;
    if (at < len && text[at] == '[' && !(at = subscript_end(text, at, len)))
        return false;
    if (at + 1 < len && text[at] == '+' && text[at + 1] == '=')
        return true;
    return at < len && text[at] == '=';
}

/* Where name=, name=( and name[ may begin an assignment. */
bool sbx_sh_command_ok(const struct sbx_lex *lex)
{
    const uint64_t not_after =
        TOKEN_BIT(T_SEMI_SEMI) | TOKEN_BIT(T_SEMI_AMP) | TOKEN_BIT(T_SEMI_SEMI_AMP);
    if (lex->flags & LEX_CASEPAT)
        return false;
    /* Behind an operator the file's name comes; bash forgot about &>>. */
    if ((lex->flags & LEX_REDIRS) &&
        (!TOKEN_IN(lex->last, REDIR_OPERATORS) || lex->last == T_AMP_DGREAT))
        return true;
    return lex->last == T_ASSIGN || (!TOKEN_IN(lex->last, not_after) && sbx_sh_reserved_ok(lex));
}

/* One element of name=( ): its tail is where the next one goes. */
static bool add_element(struct sbx_parser *p, struct sbx_lexword *array)
{
    const struct sbx_lexword *word = &p->lex.word;
    struct sbx_assign *element;
    if (word->raw_len && word->raw[0] == '[' && word->is_assignment) {
        element = sbx_sh_assign_of(p, word);
    } else if ((element = sbx_sh_node(p, sizeof(*element)))) {
        element->span = sbx_sh_span(p, word->begin, word->end);
        element->name = "";
        element->value = sbx_sh_word_of(p, word, WORD_COMMAND);
    }
    if (!element)
        return false;
    *array->tail = element;
    array->tail = &element->next;
    return p->status == SBX_PARSE_OK;
}

/* pos is behind "name=(": reads up to and with the ")". */
static bool read_elements(struct sbx_parser *p, struct sbx_lexword *array)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_lex saved = *lex;
    lex->last = T_WORD; /* no reserved words in here */
    lex->expecting_in = lex->esacs = 0;
    lex->flags = (lex->flags | LEX_COMPOUND) & ~LEX_ASSIGNOK;
    enum sbx_token token = T_NEWLINE;
    while (token == T_NEWLINE || token == T_WORD || token == T_ASSIGN) {
        if (token != T_NEWLINE && !add_element(p, array))
            return false;
        token = sbx_sh_read_token(p);
    }
    if (token == T_EOF)
        return sbx_sh_fail(p, SBX_PARSE_INCOMPLETE, saved.pos - 1,
                           "unexpected end: `)' is missing");
    if (token != T_RPAREN)
        return sbx_sh_fail(p, SBX_PARSE_SYNTAX, lex->token_begin, "unexpected token in an array");
    lex->last = saved.last;
    lex->expecting_in = saved.expecting_in;
    lex->esacs = saved.esacs;
    lex->flags = saved.flags;
    lex->token_begin = saved.token_begin;
    return true;
}

/* The byte at pos - 1 was "=": does an array follow? 1 and it is read, 0, or -1. */
static int compound_value(struct sbx_parser *p, struct scan *scan)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_lexword *word = scan->word;
    uint32_t pos = lex->pos;
    if (scan->saw_equals || (!sbx_sh_command_ok(lex) && !(lex->flags & LEX_ASSIGNOK)))
        return 0;
    scan->saw_equals = true;
    if (!token_text(p, word, pos, scan->has_continuation))
        return -1;
    if (!is_assignment(word, (lex->flags & LEX_COMPOUND) != 0))
        return 0;
    if (sbx_sh_get(p) != '(') {
        lex->pos = pos;
        return 0;
    }
    if (!sbx_sh_enter(p))
        return -1;
    bool is_ok = read_elements(p, word);
    p->depth--;
    word->is_array = true;
    word->array_end = lex->pos;
    return is_ok ? 1 : -1;
}

/* "[" inside a word: 1 it was a subscript and is skipped, 0, or -1. pos is behind it. */
static int subscript(struct sbx_parser *p, struct scan *scan)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_lexword *word = scan->word;
    uint32_t at = lex->pos - 1;
    bool is_element = at == word->begin && (lex->flags & LEX_COMPOUND);
    if (scan->saw_bracket)
        return 0;
    scan->saw_bracket = true;
    if (!is_element) {
        if (at == word->begin || !sbx_sh_command_ok(lex) ||
            !token_text(p, word, at, scan->has_continuation) ||
            name_len(word->raw, word->raw_len) != word->raw_len)
            return p->status == SBX_PARSE_OK ? 0 : -1;
    }
    return sbx_sh_skip(p, (struct sbx_skip){0, '[', ']', SKIP_SUBSCRIPT}) ? 1 : -1;
}

/* "$", "<" or ">" inside a word: 1 an expansion was skipped, 0, or -1. pos is behind it. */
static int expansion(struct sbx_parser *p, struct scan *scan, int byte)
{
    struct sbx_lex *lex = &p->lex;
    uint32_t pos = lex->pos;
    int next = sbx_sh_get(p);
    bool is_ok;
    if (next == '(') {
        is_ok = sbx_sh_skip_comsub(p);
    } else if (byte == '$' && next == '{') {
        is_ok = sbx_sh_skip(p, (struct sbx_skip){0, '{', '}', SKIP_FIRSTCLOSE | SKIP_BRACE});
    } else if (byte == '$' && next == '[') {
        is_ok = sbx_sh_skip(p, (struct sbx_skip){0, '[', ']', SKIP_ARITH});
    } else if (byte == '$' && (next == '\'' || next == '"')) {
        char quote = (char)next;
        unsigned flags = next == '\'' ? SKIP_ALLOWESC : 0;
        scan->word->is_quoted = true;
        return sbx_sh_skip(p, (struct sbx_skip){quote, quote, quote, flags}) ? 1 : -1;
    } else if (byte == '$' && next == '$') {
        is_ok = true;
    } else {
        lex->pos = pos;
        return 0;
    }
    scan->word->has_dollar = true;
    return is_ok ? 1 : -1;
}

/* "(" in a regular expression, or behind one of ?*+@! where extended patterns are on. */
static int pattern(struct sbx_parser *p, int byte)
{
    struct sbx_lex *lex = &p->lex;
    uint32_t pos = lex->pos;
    if (!((lex->flags & LEX_REGEX) && byte == '(')) {
        if (!(lex->flags & LEX_EXTGLOB) || !strchr("?*+@!", byte) || sbx_sh_get(p) != '(') {
            lex->pos = pos;
            return 0;
        }
    }
    if (!sbx_sh_skip(p, (struct sbx_skip){0, '(', ')', 0}))
        return -1;
    return sbx_sh_spend(p, lex->pos - pos) ? 1 : -1;
}

static int quote(struct sbx_parser *p, struct scan *scan, int byte)
{
    char mark = (char)byte;
    uint32_t begin = p->lex.pos;
    if (byte != '`')
        scan->word->is_quoted = true;
    if (!sbx_sh_skip(p, (struct sbx_skip){mark, mark, mark, 0}))
        return -1;
    if (byte == '"' && memchr(p->lex.text + begin, '$', p->lex.pos - begin))
        scan->word->has_dollar = true;
    return 1;
}

/* One step inside a word. 1: something with an end of its own was skipped; 0: look at the byte as it
 * is; -1 error. */
static int step(struct sbx_parser *p, struct scan *scan, int byte)
{
    struct sbx_lex *lex = &p->lex;
    switch (byte) {
    case '\\':
        if (lex->pos < lex->end)
            lex->pos++;
        scan->word->is_quoted = true;
        return 1;
    case '\'':
    case '"':
    case '`':
        return quote(p, scan, byte);
    case '$':
    case '<':
    case '>':
        return expansion(p, scan, byte);
    case '[':
        return subscript(p, scan);
    case '=':
        return compound_value(p, scan);
    case '(':
    case '?':
    case '*':
    case '+':
    case '@':
    case '!':
        return lex->flags & (LEX_REGEX | LEX_EXTGLOB) ? pattern(p, byte) : 0;
    default:
        return 0;
    }
}

/* Reads to the end of the word, whose plain beginning was read already. False on an error. */
static bool scan_word(struct sbx_parser *p, struct scan *scan)
{
    struct sbx_lex *lex = &p->lex;
    for (;;) {
        uint32_t begin = lex->pos;
        int byte = sbx_sh_get(p);
        scan->has_continuation |= byte >= 0 ? lex->pos - begin != 1 : lex->pos != begin;
        if (byte < 0)
            return true;
        int what = step(p, scan, byte);
        if (what < 0)
            return false;
        if (what > 0) {
            scan->word->is_digits = false;
            continue;
        }
        bool is_regex_bar = byte == '|' && (lex->flags & LEX_REGEX);
        if (sbx_sh_is_break(byte) && !is_regex_bar) {
            lex->pos = begin;
            return true;
        }
        scan->word->is_digits &= sbx_sh_is(byte, BYTE_DIGIT);
        scan->word->has_dollar |= byte == '$';
    }
}

static bool is_command_word(const struct sbx_lexword *word, const char *const *names)
{
    for (; *names; names++)
        if (strlen(*names) == word->raw_len && !memcmp(*names, word->raw, word->raw_len))
            return true;
    return false;
}

/* {name} right in front of < or > names a variable for the descriptor. */
static bool is_redir_var(const struct sbx_lexword *word)
{
    const char *raw = word->raw;
    size_t len = word->raw_len;
    if (len < 3 || raw[0] != '{' || raw[len - 1] != '}')
        return false;
    size_t name = name_len(raw + 1, len - 2);
    return name && (name == len - 2 ||
                    (raw[1 + name] == '[' && subscript_end(raw, 1 + name, len - 1) == len - 1));
}

static bool is_small_number(const struct sbx_lexword *word)
{
    unsigned long value = 0;
    for (size_t i = 0; i < word->raw_len; i++) {
        value = value * 10 + (unsigned long)(word->raw[i] - '0');
        if (value > INT_MAX)
            return false;
    }
    return word->raw_len > 0;
}

static enum sbx_token classify(struct sbx_parser *p)
{
    static const char *const declares[] = {"alias",   "declare", "export", "local", "readonly",
                                           "typeset", "eval",    "let",    NULL};
    struct sbx_lex *lex = &p->lex;
    struct sbx_lexword *word = &lex->word;
    char next = lex->pos < lex->end ? lex->text[lex->pos] : '\n';
    bool is_redir_next = next == '<' || next == '>';
    if (word->is_digits && is_small_number(word) &&
        (is_redir_next || lex->last == T_LESS_AMP || lex->last == T_GREAT_AMP))
        return T_NUMBER;
    bool is_bare = !word->has_dollar && !word->is_quoted;
    enum sbx_token token = is_bare ? sbx_sh_special(p, word->raw, word->raw_len) : T_WORD;
    if (token == T_WORD && !word->is_quoted && sbx_sh_aliased(p))
        token = sbx_sh_alias_word(p, word);
    if (token == T_WORD && is_bare)
        token = sbx_sh_reserved(p, word->raw, word->raw_len);
    if (token != T_WORD)
        return token;
    bool in_compound = (lex->flags & LEX_COMPOUND) != 0;
    bool may_assign = sbx_sh_command_ok(lex) || in_compound;
    word->is_assignment = !word->is_plain && is_assignment(word, in_compound);
    if (sbx_sh_command_ok(lex) && is_command_word(word, declares))
        lex->flags |= LEX_ASSIGNOK;
    if (is_redir_next && is_redir_var(word))
        return T_REDIR_VAR;
    if (lex->last == T_CASE || lex->last == T_FOR || lex->last == T_SELECT)
        lex->expecting_in++;
    return word->is_assignment && may_assign ? T_ASSIGN : T_WORD;
}

enum sbx_token sbx_sh_read_word(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_lexword *word = &lex->word;
    /* Not in place: an array's elements are read inside their word. */
    struct sbx_lexword mine = {.begin = lex->pos, .is_plain = true, .is_digits = true};
    struct scan scan = {.word = &mine};
    mine.tail = &mine.elements;
    if (lex->text[lex->pos] == '~')
        mine.is_plain = false;
    while (lex->pos < lex->end && sbx_sh_is((unsigned char)lex->text[lex->pos], BYTE_PLAIN)) {
        mine.is_digits &= sbx_sh_is((unsigned char)lex->text[lex->pos], BYTE_DIGIT);
        lex->pos++;
    }
    bool is_pattern_ahead = (lex->flags & (LEX_EXTGLOB | LEX_REGEX)) && lex->pos < lex->end &&
                            lex->text[lex->pos] == '(';
    if (is_pattern_ahead) {
        lex->pos = mine.begin;
        mine.is_digits = true;
    }
    if (is_pattern_ahead ||
        (lex->pos < lex->end && !sbx_sh_is_break((unsigned char)lex->text[lex->pos])) ||
        (lex->pos < lex->end && strchr("<>", lex->text[lex->pos])) || (lex->flags & LEX_REGEX)) {
        uint32_t before = lex->pos;
        if (!scan_word(p, &scan))
            return T_ERROR;
        mine.is_plain &= lex->pos == before && !is_pattern_ahead;
    }
    mine.end = lex->pos;
    if (!token_text(p, &mine, mine.end, scan.has_continuation))
        return T_ERROR;
    *word = mine;
    word->tail = &word->elements;
    return classify(p);
}
