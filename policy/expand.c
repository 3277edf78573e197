/* Words to values: what bash's expansions give, as far as it is certain. */
#include "policy/judge_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_DEPTH 400

struct expansion {
    struct sbx_judge *j;
    struct sbx_values *out;
    uint32_t fields; /* so far for this word */
    uint32_t depth;  /* of parts that may give several texts: bounds the stack */
    bool single;     /* no splitting, braces or lists: assignments, here-strings */
    struct sbx_span span;
};

/* A stack of parts still to come: alternatives of a brace go on with what follows it. */
struct rest {
    const struct sbx_part *part;
    const struct rest *next;
    bool quoted;
};

static void expand_rest(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                        const struct rest *next, bool quoted);

static void emit(struct expansion *x, struct sbx_text *text)
{
    if (x->fields >= SBX_JUDGE_FIELDS)
        return;
    x->fields++;
    if (x->j->fields++ >= SBX_JUDGE_VALUES) {
        x->j->limit_hit = true;
        x->fields = SBX_JUDGE_FIELDS;
    }
    if (x->fields == SBX_JUDGE_FIELDS) {
        /* More than we hold: the rest is one unknown word, never left out. */
        sbx_values_add(x->out, sbx_value_unknown(&x->j->arena, text->taint));
        return;
    }
    sbx_values_add(x->out, sbx_text_value(text, x->span));
}

static void expand_tilde(struct expansion *x, struct sbx_text *text, const struct sbx_part *part)
{
    struct sbx_judge *j = x->j;
    if (!part->text_len) {
        sbx_text_put(text, j->home, strlen(j->home), SBX_MASK_LITERAL);
    } else if (part->text_len == 1 && part->text[0] == '+') {
        if (*j->cwd)
            sbx_text_put(text, j->cwd, strlen(j->cwd), SBX_MASK_LITERAL);
        else
            sbx_text_unknown(text, SBX_MASK_NONEMPTY, 0);
    } else if (part->text_len == 1 && part->text[0] == '-') {
        sbx_text_unknown(text, SBX_MASK_NONEMPTY, 0);
    } else if (part->text_len == strlen(j->account) &&
               !memcmp(part->text, j->account, part->text_len)) {
        sbx_text_put(text, j->home, strlen(j->home), SBX_MASK_LITERAL);
    } else if (part->text_len == 4 && !memcmp(part->text, "root", 4)) {
        sbx_text_put(text, "/root", 5, SBX_MASK_LITERAL);
    } else {
        sbx_text_put(text, "/home/", 6, SBX_MASK_LITERAL);
        sbx_text_put(text, part->text, part->text_len, SBX_MASK_LITERAL);
    }
}

static void expand_command(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                           bool quoted)
{
    struct sbx_flow out = {0};
    struct sbx_judge *j = x->j;
    struct sbx_var_log *mark = sbx_vars_mark(j);
    const char *cwd = sbx_cwd_save(j);
    sbx_walk_script(j, part->script, NULL, &out);
    sbx_vars_rollback(j, mark);
    sbx_cwd_restore(j, cwd);
    if (!out.text) {
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, out.taint ? out.taint : SBX_TAINT_UNKNOWN);
        return;
    }
    struct sbx_value trimmed = *out.text;
    while (trimmed.len && trimmed.text[trimmed.len - 1] == '\n' &&
           sbx_value_mask(&trimmed, trimmed.len - 1) == SBX_MASK_LITERAL)
        trimmed.len--;
    trimmed.taint |= out.taint;
    (void)quoted;
    sbx_text_append(text, &trimmed);
}

/* Known text that is not quoted is cut at blanks: `X='rm -rf /'; $X` is three words. */
static void expand_split(struct expansion *x, struct sbx_text *text, const struct sbx_value *value)
{
    struct sbx_value piece = *value;
    uint32_t start = 0;
    struct sbx_var *ifs = sbx_var_find(x->j, "IFS", 3);
    const char *blanks = ifs && ifs->values.first && sbx_value_known(ifs->values.first)
                             ? ifs->values.first->text
                             : " \t\n";
    for (uint32_t i = 0; i <= value->len; i++) {
        bool blank = i < value->len && sbx_value_mask(value, i) == SBX_MASK_LITERAL &&
                     value->text[i] && strchr(blanks, value->text[i]);
        if (i < value->len && !blank)
            continue;
        piece.text = value->text + start;
        piece.mask = value->mask ? value->mask + start : NULL;
        piece.len = i - start;
        sbx_text_append(text, &piece);
        start = i + 1;
        if (blank && text->len) {
            emit(x, text);
            *text = (struct sbx_text){
                .arena = &x->j->arena, .taint = text->taint, .unsure = text->unsure};
        }
    }
}

/* Text of a variable that is not quoted may be a glob: X='*'. */
static void mark_globs(struct sbx_judge *j, struct sbx_value *value)
{
    for (uint32_t i = 0; i < value->len; i++) {
        if (!strchr("*?[", value->text[i]) || !value->text[i] ||
            sbx_value_mask(value, i) != SBX_MASK_LITERAL)
            continue;
        char *mask = sbx_arena_alloc(&j->arena, value->len + 1);
        if (!mask)
            return;
        if (value->mask)
            memcpy(mask, value->mask, value->len);
        mask[i] = SBX_MASK_GLOB;
        value->mask = mask;
    }
}

static void expand_param(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                         const struct rest *next, bool quoted)
{
    struct rest after = {part->next, next, quoted};
    bool is_list = false;
    struct sbx_values values = sbx_param_values(x->j, part->param, quoted, &is_list);
    if (is_list && !x->single) {
        /* "$@" and "${a[@]}": the first joins what stands before, the last what follows. */
        for (struct sbx_value *v = values.first; v; v = v->next) {
            if (quoted)
                sbx_text_append(text, v);
            else
                expand_split(x, text, v);
            if (quoted)
                text->quoted = true;
            if (v->next) {
                emit(x, text);
                *text = (struct sbx_text){.arena = &x->j->arena};
            }
        }
        if (!values.first && !part->next && !next && !text->len)
            return; /* no field at all */
        expand_rest(x, text, after.part, next, quoted);
        return;
    }
    if (is_list) {
        for (struct sbx_value *v = values.first; v; v = v->next) {
            sbx_text_append(text, v);
            if (v->next)
                sbx_text_put(text, " ", 1, SBX_MASK_LITERAL);
        }
        expand_rest(x, text, after.part, next, quoted);
        return;
    }
    for (struct sbx_value *v = values.first; v; v = v->next) {
        bool last = !v->next || x->fields + 1 >= SBX_JUDGE_FIELDS;
        struct sbx_text branch = last ? *text : sbx_text_fork(text);
        if (quoted || x->single) {
            sbx_text_append(&branch, v);
        } else {
            struct sbx_value copy = *v;
            mark_globs(x->j, &copy);
            expand_split(x, &branch, &copy);
        }
        expand_rest(x, &branch, after.part, next, quoted);
        if (last)
            break;
    }
    if (!values.first)
        expand_rest(x, text, after.part, next, quoted);
}

static bool sequence_bounds(const struct sbx_part *part, long *from, long *to)
{
    const struct sbx_word *words = part->words;
    if (!words || !words->next || !words->parts || !words->next->parts)
        return false;
    char *end = NULL;
    char a[24], b[24];
    const struct sbx_part *first = words->parts, *second = words->next->parts;
    if (first->text_len >= sizeof(a) || second->text_len >= sizeof(b) || !first->text ||
        !second->text)
        return false;
    memcpy(a, first->text, first->text_len);
    memcpy(b, second->text, second->text_len);
    a[first->text_len] = b[second->text_len] = 0;
    if (strlen(a) == 1 && strlen(b) == 1 && (a[0] > '9' || a[0] < '0')) {
        *from = (unsigned char)a[0];
        *to = (unsigned char)b[0];
        return true;
    }
    *from = strtol(a, &end, 10);
    if (*end || end == a)
        return false;
    *to = strtol(b, &end, 10);
    return !*end && end != b;
}

static void expand_sequence(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                            const struct rest *next)
{
    long from = 0, to = 0;
    bool letters = false;
    if (!sequence_bounds(part, &from, &to) || labs(to - from) >= SBX_JUDGE_FIELDS) {
        sbx_text_unknown(text, SBX_MASK_NONEMPTY, 0);
        expand_rest(x, text, part->next, next, false);
        return;
    }
    const struct sbx_part *first = part->words->parts;
    letters = first->text_len == 1 && (first->text[0] > '9' || first->text[0] < '0');
    for (long i = from;; i += from <= to ? 1 : -1) {
        char item[24];
        int len = letters ? snprintf(item, sizeof(item), "%c", (char)i)
                          : snprintf(item, sizeof(item), "%ld", i);
        struct sbx_text branch = sbx_text_fork(text);
        sbx_text_put(&branch, item, (size_t)len, SBX_MASK_LITERAL);
        expand_rest(x, &branch, part->next, next, false);
        if (i == to || x->fields >= SBX_JUDGE_FIELDS)
            break;
    }
}

static void expand_brace(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                         const struct rest *next)
{
    if (part->is_sequence) {
        expand_sequence(x, text, part, next);
        return;
    }
    struct rest after = {part->next, next, false};
    for (const struct sbx_word *word = part->words; word; word = word->next) {
        struct sbx_text branch = sbx_text_fork(text);
        expand_rest(x, &branch, word->parts, &after, false);
        if (x->fields >= SBX_JUDGE_FIELDS)
            return;
    }
}

static void expand_extglob(struct expansion *x, struct sbx_text *text, const struct sbx_part *part)
{
    /* The patterns may hold substitutions; the whole matches anything. */
    for (const struct sbx_word *word = part->words; word; word = word->next) {
        struct sbx_text scratch = {.arena = &x->j->arena};
        sbx_expand_parts(x->j, word->parts, &scratch);
    }
    sbx_text_put(text, "*", 1, SBX_MASK_GLOB);
}

/* <(...) and >(...) are files of the kernel's, made in this input: what is in them is what the
 * commands print, so `bash <(curl …)` is code from the network. */
static void expand_process(struct expansion *x, struct sbx_text *text, const struct sbx_part *part)
{
    struct sbx_judge *j = x->j;
    struct sbx_flow out = {0}, in = {.is_set = true, .taint = SBX_TAINT_UNKNOWN};
    if (j->input && j->input->is_set)
        in = *j->input;
    struct sbx_var_log *mark = sbx_vars_mark(j);
    sbx_walk_script(j, part->script, part->op == '>' ? &in : NULL, &out);
    sbx_vars_rollback(j, mark);
    char name[32];
    int len = snprintf(name, sizeof(name), "/dev/fd/%u", 63000 + j->made_count);
    sbx_text_put(text, name, (size_t)len, SBX_MASK_LITERAL);
    text->taint |= out.taint;
    sbx_made_add(j, name, out.text, out.taint, NULL);
    if (part->op == '>' && j->made)
        j->made->sink = part->script;
}

/* Parts that give one text each. Returns false for those that may give several. */
static bool expand_plain(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                         bool quoted)
{
    switch (part->kind) {
    case SBX_PART_LITERAL:
        sbx_text_put(text, part->text, part->text_len, SBX_MASK_LITERAL);
        return true;
    case SBX_PART_SINGLE:
    case SBX_PART_ANSI:
        text->quoted = true;
        sbx_text_put(text, part->text, part->text_len, SBX_MASK_LITERAL);
        return true;
    case SBX_PART_GLOB:
        sbx_text_put(text, part->text, part->text_len,
                     quoted || x->single ? SBX_MASK_LITERAL : SBX_MASK_GLOB);
        return true;
    case SBX_PART_EXTGLOB:
        expand_extglob(x, text, part);
        return true;
    case SBX_PART_TILDE:
        expand_tilde(x, text, part);
        return true;
    case SBX_PART_ARITH:
        sbx_arith_check(x->j, part->parts);
        sbx_text_unknown(text, SBX_MASK_NONEMPTY, 0);
        return true;
    case SBX_PART_PROCESS:
        expand_process(x, text, part);
        return true;
    default:
        return false;
    }
}

/* Parts that are left out because of a bound must not hide a substitution. */
static bool may_run(const struct sbx_part *part)
{
    for (; part; part = part->next)
        if (part->script || part->param || part->parts || part->words)
            return true;
    return false;
}

/* One that may give several texts: each goes on with what follows it, a level deeper. */
static void expand_several(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                           const struct rest *next, bool quoted)
{
    if (x->depth >= PARTS_DEPTH) {
        x->j->limit_hit = true;
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, SBX_TAINT_UNKNOWN);
        emit(x, text);
        return;
    }
    x->depth++;
    if (part->kind == SBX_PART_DOUBLE) {
        struct rest after = {part->next, next, quoted};
        text->quoted = true;
        expand_rest(x, text, part->parts, &after, true);
    } else if (part->kind == SBX_PART_PARAM) {
        expand_param(x, text, part, next, quoted);
    } else {
        expand_brace(x, text, part, next);
    }
    x->depth--;
}

static void expand_rest(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                        const struct rest *next, bool quoted)
{
    for (;;) {
        while (!part && next) {
            part = next->part;
            quoted = next->quoted;
            next = next->next;
        }
        if (!part) {
            emit(x, text);
            return;
        }
        if (x->fields >= SBX_JUDGE_FIELDS) {
            x->j->limit_hit = x->j->limit_hit || may_run(part);
            return;
        }
        if (part->kind == SBX_PART_DOUBLE || part->kind == SBX_PART_PARAM ||
            part->kind == SBX_PART_BRACE) {
            expand_several(x, text, part, next, quoted);
            return;
        }
        if (part->kind == SBX_PART_COMMAND) {
            struct sbx_text inner = {.arena = &x->j->arena};
            expand_command(x, &inner, part, quoted);
            struct sbx_value *value = sbx_text_value(&inner, part->span);
            if (value && !quoted && !x->single)
                expand_split(x, text, value);
            else if (value)
                sbx_text_append(text, value);
        } else {
            (void)expand_plain(x, text, part, quoted);
        }
        part = part->next;
    }
}

/* The commonest word: one literal. */
static bool expand_literal(struct sbx_judge *j, const struct sbx_word *word, struct sbx_values *out)
{
    const struct sbx_part *part = word->parts;
    if (!part || part->next || (part->kind != SBX_PART_LITERAL && part->kind != SBX_PART_SINGLE))
        return false;
    struct sbx_value *value = sbx_value_new(&j->arena, part->text, part->text_len);
    if (!value) {
        j->no_memory = true;
        return true;
    }
    value->span = word->span;
    value->quoted = part->kind == SBX_PART_SINGLE;
    sbx_values_add(out, value);
    return true;
}

void sbx_expand(struct sbx_judge *j, const struct sbx_word *word, struct sbx_values *out)
{
    if (expand_literal(j, word, out))
        return;
    struct sbx_values fields;
    sbx_values_init(&fields);
    struct expansion x = {.j = j, .out = &fields, .span = word->span};
    struct sbx_text text = {.arena = &j->arena};
    expand_rest(&x, &text, word->parts, NULL, false);
    for (struct sbx_value *v = fields.first, *next; v; v = next) {
        next = v->next;
        /* An unquoted word that came to nothing is no word. */
        if (v->len || v->quoted)
            sbx_values_add(out, v);
    }
}

void sbx_expand_parts(struct sbx_judge *j, const struct sbx_part *parts, struct sbx_text *text)
{
    struct sbx_values values;
    sbx_values_init(&values);
    struct expansion x = {.j = j, .out = &values, .single = true};
    struct sbx_text local = {.arena = &j->arena};
    expand_rest(&x, &local, parts, NULL, false);
    bool several = values.count > 1;
    for (struct sbx_value *v = values.first; v; v = v->next) {
        if (several && v != values.first)
            text->taint |= v->taint;
        else
            sbx_text_append(text, v);
    }
    if (several) {
        /* One of several: not known which. */
        text->len = 0;
        text->masked = true;
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, 0);
    }
}

struct sbx_value *sbx_expand_one(struct sbx_judge *j, const struct sbx_word *word)
{
    struct sbx_text text = {.arena = &j->arena};
    sbx_expand_parts(j, word->parts, &text);
    struct sbx_value *value = sbx_text_value(&text, word->span);
    if (!value) {
        j->no_memory = true;
        j->nothing = (struct sbx_value){.text = ""};
        return &j->nothing;
    }
    return value;
}
