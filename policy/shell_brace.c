/* Brace expansion: {a,b} and {1..3}, found among the marks that the word's builder left. */
#include "policy/shell_int.h"

#include <string.h>

static char mark_of(const struct sbx_part *part)
{
    return part->kind == SBX_PART_LITERAL ? part->op : '\0';
}

/* From an open brace to the one that closes it, as bash looks for it: nested ones are counted, and a
 * closing one counts only when a comma or ".." stood in front of it. */
static struct sbx_part *closing(struct sbx_parser *p, struct sbx_part *open, bool *has_comma)
{
    unsigned level = 0;
    bool is_good = false;
    *has_comma = false;
    size_t steps = 0;
    struct sbx_part *found = NULL;
    for (struct sbx_part *part = open->next; part && !found; part = part->next, steps++) {
        char mark = mark_of(part);
        if (mark == '{') {
            level++;
        } else if (mark == '}' && level) {
            level--;
        } else if (mark == '}' && is_good) {
            found = part;
        } else if (mark == ',' && !level) {
            is_good = *has_comma = true;
        } else if (!mark && !level && part->kind == SBX_PART_LITERAL) {
            /* ".." right in front of the brace does not count. */
            bool is_last = part->next && mark_of(part->next) == '}';
            is_good |=
                memmem(part->text, part->text_len - (is_last && part->text_len), "..", 2) != NULL;
        }
    }
    (void)sbx_sh_spend(p, steps * 8);
    return found;
}

static bool is_number(const char *text, size_t len)
{
    size_t i = len && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    if (i == len || len > 19)
        return false;
    for (; i < len; i++)
        if (!sbx_sh_is((unsigned char)text[i], BYTE_DIGIT))
            return false;
    return true;
}

static bool is_letter(const char *text, size_t len)
{
    return len == 1 && sbx_sh_is_letter((unsigned char)*text) && *text != '_';
}

static struct sbx_word *end_word(struct sbx_parser *p, const struct sbx_part *from, size_t at,
                                 size_t len)
{
    struct sbx_word *word = sbx_sh_node(p, sizeof(*word));
    struct sbx_part *part = word ? sbx_sh_node(p, sizeof(*part)) : NULL;
    if (!part)
        return NULL;
    *part = *from;
    part->next = NULL;
    part->text += at;
    part->text_len = len;
    part->span.begin += (uint32_t)at;
    part->span.end = part->span.begin + (uint32_t)len;
    word->parts = part;
    word->span = part->span;
    return word;
}

/* a..b or a..b..step between the braces? *words stays NULL where it is not. False: past a limit. */
static bool sequence(struct sbx_parser *p, const struct sbx_part *inside,
                     const struct sbx_part *close, struct sbx_word **words)
{
    if (inside->next != close || inside->kind != SBX_PART_LITERAL ||
        inside->span.end - inside->span.begin != inside->text_len)
        return true;
    const char *text = inside->text;
    size_t at[3] = {0}, len[3] = {0}, count = 0, from = 0;
    for (;;) {
        const char *dots = memmem(text + from, inside->text_len - from, "..", 2);
        at[count] = from;
        len[count] = dots ? (size_t)(dots - text) - from : inside->text_len - from;
        count++;
        if (!dots)
            break;
        if (count == 3)
            return true;
        from = (size_t)(dots - text) + 2;
    }
    bool numbers = count > 1 && is_number(text + at[0], len[0]) && is_number(text + at[1], len[1]);
    bool letters = count > 1 && is_letter(text + at[0], len[0]) && is_letter(text + at[1], len[1]);
    if (!(numbers || letters) || (count == 3 && !is_number(text + at[2], len[2])))
        return true;
    for (size_t i = 0; i < count; i++) {
        if (!(*words = end_word(p, inside, at[i], len[i])))
            return false;
        words = &(*words)->next;
    }
    return true;
}

/* ~ and ~name in front of an alternative that begins a word. */
static bool leading_tilde(struct sbx_parser *p, struct sbx_part **list)
{
    struct sbx_part *tilde = *list;
    if (!tilde || mark_of(tilde) != '~')
        return true;
    struct sbx_part *name = tilde->next;
    size_t len = 0;
    if (name && name->kind == SBX_PART_LITERAL && !mark_of(name)) {
        if (name->span.end - name->span.begin != name->text_len)
            return true;
        const char *slash = memchr(name->text, '/', name->text_len);
        len = slash ? (size_t)(slash - name->text) : name->text_len;
        if (!slash && name->next)
            return true;
    } else if (name) {
        return true;
    }
    tilde->kind = SBX_PART_TILDE;
    tilde->op = 0;
    tilde->text = len ? name->text : "";
    tilde->text_len = len;
    if (!len)
        return true;
    tilde->span.end += (uint32_t)len;
    name->span.begin += (uint32_t)len;
    name->text += len;
    name->text_len -= len;
    if (!name->text_len)
        tilde->next = name->next;
    return p->status == SBX_PARSE_OK;
}

static bool resolve(struct sbx_parser *p, struct sbx_part **list, bool at_start);

/* The alternatives between open and close, which are cut out of the list. */
static struct sbx_word *alternatives(struct sbx_parser *p, struct sbx_part *open,
                                     struct sbx_part *close, bool at_start)
{
    struct sbx_word *words = NULL, **tail = &words;
    struct sbx_part *part = open->next;
    uint32_t begin = open->span.end;
    for (bool goes_on = true; goes_on;) {
        struct sbx_word *word = sbx_sh_node(p, sizeof(*word));
        if (!word)
            return NULL;
        struct sbx_part **end = &word->parts;
        unsigned level = 0;
        word->parts = part;
        for (; part != close && (level || mark_of(part) != ','); part = part->next) {
            level += mark_of(part) == '{';
            level -= mark_of(part) == '}' && level;
            end = &part->next;
        }
        goes_on = part != close;
        word->span = (struct sbx_span){begin, part->span.begin};
        begin = part->span.end;
        part = part->next;
        *end = NULL;
        if (!resolve(p, &word->parts, at_start))
            return NULL;
        *tail = word;
        tail = &word->next;
    }
    return words;
}

/* Plain neighbours become one part again. */
static bool merge(struct sbx_parser *p, struct sbx_part *part)
{
    for (; part; part = part->next) {
        size_t total = part->text_len, count = 0;
        struct sbx_part *end = part->next;
        if (part->kind != SBX_PART_LITERAL)
            continue;
        part->op = 0;
        for (; end && end->kind == SBX_PART_LITERAL; end = end->next, count++)
            total += end->text_len;
        if (!count)
            continue;
        char *copy = sbx_sh_bytes(p, total + 1);
        if (!copy)
            return false;
        size_t at = 0;
        for (const struct sbx_part *one = part; one != end; one = one->next) {
            memcpy(copy + at, one->text, one->text_len);
            at += one->text_len;
            part->span.end = one->span.end;
        }
        part->text = copy;
        part->text_len = total;
        part->next = end;
    }
    return true;
}

static bool resolve_list(struct sbx_parser *p, struct sbx_part **list, bool at_start)
{
    if (at_start && !leading_tilde(p, list))
        return false;
    for (struct sbx_part *part = *list; part; part = part->next) {
        bool has_comma = false;
        struct sbx_part *close = mark_of(part) == '{' ? closing(p, part, &has_comma) : NULL;
        if (p->status != SBX_PARSE_OK)
            return false;
        if (!close)
            continue;
        struct sbx_word *words = NULL;
        struct sbx_part *after = close->next;
        if (has_comma)
            words = alternatives(p, part, close, at_start && part == *list);
        else if (!sequence(p, part->next, close, &words))
            return false;
        if (p->status != SBX_PARSE_OK)
            return false;
        if (words) {
            part->kind = SBX_PART_BRACE;
            part->op = 0;
            part->text = NULL;
            part->text_len = 0;
            part->is_sequence = !has_comma;
            part->words = words;
            part->span.end = close->span.end;
            part->next = after;
        } else {
            /* {a..$b} : bash leaves it as it stands and goes on behind it. */
            for (; part->next != close; part = part->next)
                if (part->kind == SBX_PART_LITERAL)
                    part->op = 0;
            part = close;
        }
    }
    return merge(p, *list);
}

static bool resolve(struct sbx_parser *p, struct sbx_part **list, bool at_start)
{
    if (!sbx_sh_enter(p))
        return false;
    bool is_ok = resolve_list(p, list, at_start);
    p->depth--;
    return is_ok;
}

/* --- what grows together ------------------------------------------------------------------------
 * bash expands braces before anything else, so that what stands at the edge of one can grow together
 * with what stands beside it: $x{a,b} is $xa and $xb, {$,x}y is $y and xy, {~,x}y is ~y and xy. */
struct beside {
    bool is_there; /* something follows at all */
    bool is_name;  /* and may go on with a name */
    bool is_slash; /* and begins with a slash */
};

static struct beside beside_of(const struct sbx_part *next, struct beside outer)
{
    struct beside found = {.is_there = true};
    if (!next)
        return outer;
    if (next->kind == SBX_PART_LITERAL && next->text_len) {
        found.is_name = sbx_sh_is((unsigned char)*next->text, BYTE_NAME);
        found.is_slash = *next->text == '/';
    } else if (next->kind == SBX_PART_BRACE) {
        found.is_name = next->is_sequence;
        for (const struct sbx_word *word = next->words; word && !found.is_name; word = word->next) {
            const struct sbx_part *first = word->parts;
            if (!first || first->kind == SBX_PART_BRACE)
                found.is_name = true; /* or what follows: not worth knowing */
            else if (first->kind == SBX_PART_LITERAL && first->text_len)
                found.is_name = sbx_sh_is((unsigned char)*first->text, BYTE_NAME);
        }
    }
    return found;
}

/* The last byte of a literal is a "$" that what follows may turn into an expansion. */
static bool split_dollar(struct sbx_parser *p, struct sbx_part *literal)
{
    bool is_whole = literal->text_len == 1;
    struct sbx_part *part = is_whole ? literal : sbx_sh_node(p, sizeof(*part));
    struct sbx_param *param = sbx_sh_bytes(p, sizeof(*param));
    if (!part || !param)
        return false;
    *param = (struct sbx_param){.name = "", .op = "", .bad = true};
    uint32_t end = literal->span.end;
    if (!is_whole) {
        literal->text_len--;
        literal->span.end--;
        literal->next = part;
    }
    *part = (struct sbx_part){
        .kind = SBX_PART_PARAM, .span = {end - 1, end},
             .param = param
    };
    return true;
}

static bool grow_together(struct sbx_parser *p, struct sbx_part *list, struct beside outer,
                          bool is_top)
{
    if (!sbx_sh_enter(p))
        return false;
    for (struct sbx_part *part = list; part; part = part->next) {
        struct beside next = beside_of(part->next, outer);
        struct sbx_param *param = part->param;
        if (part->kind == SBX_PART_BRACE) {
            for (struct sbx_word *word = part->words; word && !part->is_sequence; word = word->next)
                if (!grow_together(p, word->parts, next, false))
                    return false;
        } else if (part->kind == SBX_PART_PARAM && part->op != '{' && next.is_name &&
                   param->name_len && sbx_sh_is_letter((unsigned char)*param->name)) {
            *param = (struct sbx_param){.name = "", .op = "", .bad = true};
        } else if (part->kind == SBX_PART_LITERAL && part->text_len && !part->next &&
                   next.is_there && part->text[part->text_len - 1] == '$') {
            if (!split_dollar(p, part))
                return false;
            part = part->next ? part->next : part;
        } else if (part->kind == SBX_PART_TILDE && part == list && !is_top && !part->next &&
                   next.is_there && !next.is_slash) {
            part->text = "?";
            part->text_len = 1;
        }
    }
    p->depth--;
    return true;
}

bool sbx_sh_braces(struct sbx_builder *b, struct sbx_part **list)
{
    return resolve(b->p, list, true) && grow_together(b->p, *list, (struct beside){0}, true);
}
