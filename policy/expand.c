/* Words to values: what bash's expansions give, as far as it is certain. */
#include "policy/judge_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_DEPTH 400

/* How parts are read. */
#define QUOTED 0x1u /* inside "..." */
#define CUT    0x2u /* text of ${x:-text}: cut at IFS as the value of a variable would be */

struct expansion {
    struct sbx_judge *j;
    struct sbx_values *out;
    uint32_t fields; /* so far for this word */
    uint32_t depth;  /* of parts that may give several texts: bounds the stack */
    bool single;     /* no splitting, braces or lists: assignments, here-strings */
    bool pattern;    /* of ${x#pattern}: what is a pattern stays marked */
    bool open;       /* where a brace ends is not where it seems to: any words */
    struct sbx_span span;
};

/* A stack of parts still to come: alternatives of a brace go on with what follows it. */
struct rest {
    const struct sbx_part *part;
    const struct rest *next;
    unsigned how;
};

static void expand_rest(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                        const struct rest *next, unsigned how);

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
    struct sbx_value *value = sbx_text_value(text, x->span);
    if (x->open && value) {
        uint32_t taint = value->taint;
        value = sbx_value_unknown(&x->j->arena, taint);
    }
    if (value && !x->single && !value->quoted && sbx_value_has(value, SBX_MASK_UNKNOWN))
        value->several = true; /* it may be cut, or come to nothing */
    sbx_values_add(x->out, value);
}

static void put_home(struct expansion *x, struct sbx_text *text)
{
    const struct sbx_var *home = sbx_var_find(x->j, "HOME", 4);
    if (!home || home->is_unset || home->maybe_unset) {
        if (home)
            sbx_text_unknown(text, SBX_MASK_NONEMPTY, 0); /* that of the account's record */
        else
            sbx_text_put(text, x->j->home, strlen(x->j->home), SBX_MASK_LITERAL);
    } else if (home->values.count == 1) {
        sbx_text_append(text, home->values.first);
    } else {
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, 0);
    }
    text->quoted = true; /* it is neither cut nor left out */
}

static void put_directory(struct expansion *x, struct sbx_text *text)
{
    if (*x->j->cwd && !x->j->cwd_maybe && !sbx_var_find(x->j, "PWD", 3))
        sbx_text_put(text, x->j->cwd, strlen(x->j->cwd), SBX_MASK_LITERAL);
    else
        sbx_text_unknown(text, SBX_MASK_NONEMPTY, 0);
}

/* Somebody's home, or where there is no such account the text itself: both are looked at. */
static void expand_tilde_name(struct expansion *x, struct sbx_text *text,
                              const struct sbx_part *part, const struct rest *next, unsigned how)
{
    struct sbx_text itself = sbx_text_fork(text);
    bool open = part->text_len == 1 && part->text[0] == '?';
    text->unsure = itself.unsure = true;
    sbx_text_put(text, "/home/", 6, SBX_MASK_LITERAL);
    sbx_text_put(&itself, "~", 1, SBX_MASK_LITERAL);
    if (open) {
        sbx_text_unknown(text, SBX_MASK_NONEMPTY, 0);
    } else {
        sbx_text_put(text, part->text, part->text_len, SBX_MASK_LITERAL);
        sbx_text_put(&itself, part->text, part->text_len, SBX_MASK_LITERAL);
    }
    expand_rest(x, text, part->next, next, how);
    if (!x->single)
        expand_rest(x, &itself, part->next, next, how);
}

static bool is_tilde_name(const struct expansion *x, const struct sbx_part *part)
{
    const char *account = x->j->account;
    bool known =
        !part->text_len ||
        (part->text_len == 1 && (part->text[0] == '+' || part->text[0] == '-')) ||
        (part->text_len == strlen(account) && !memcmp(part->text, account, part->text_len)) ||
        (part->text_len == 4 && !memcmp(part->text, "root", 4));
    return part->kind == SBX_PART_TILDE && !known;
}

static void expand_tilde(struct expansion *x, struct sbx_text *text, const struct sbx_part *part)
{
    if (!part->text_len)
        put_home(x, text);
    else if (part->text_len == 1 && part->text[0] == '+')
        put_directory(x, text);
    else if (part->text_len == 1 && part->text[0] == '-')
        sbx_text_unknown(text, SBX_MASK_NONEMPTY, 0);
    else if (part->text_len == 4 && !memcmp(part->text, "root", 4))
        sbx_text_put(text, "/root", 5, SBX_MASK_LITERAL);
    else
        sbx_text_put(text, x->j->home, strlen(x->j->home), SBX_MASK_LITERAL);
}

static void expand_command(struct expansion *x, struct sbx_text *text, const struct sbx_part *part)
{
    struct sbx_flow out = {0};
    struct sbx_judge *j = x->j;
    struct sbx_apart apart;
    sbx_apart_begin(j, &apart);
    sbx_walk_script(j, sbx_aliases_substitution(j, part), NULL, &out);
    sbx_apart_end(j, &apart);
    if (!out.text) {
        sbx_text_unknown(text, SBX_MASK_UNKNOWN,
                         (out.taint ? out.taint : (uint32_t)SBX_TAINT_UNKNOWN) | SBX_TAINT_PRINTED);
        return;
    }
    struct sbx_value trimmed = *out.text;
    while (trimmed.len && trimmed.text[trimmed.len - 1] == '\n' &&
           sbx_value_mask(&trimmed, trimmed.len - 1) == SBX_MASK_LITERAL)
        trimmed.len--;
    trimmed.taint |= out.taint;
    sbx_text_append(text, &trimmed);
}

static void emit_piece(void *data, struct sbx_text *text)
{
    emit(data, text);
}

/* Known text that is not quoted is cut at blanks: `X='rm -rf /'; $X` is three words. */
static void expand_split(struct expansion *x, struct sbx_text *text, const struct sbx_value *value)
{
    const struct sbx_splitter splitter = {x->j, emit_piece, x};
    struct sbx_value copy = *value;
    sbx_mark_globs(x->j, &copy);
    sbx_split(&splitter, text, &copy);
}

static void put_value(struct expansion *x, struct sbx_text *text, const struct sbx_value *value,
                      unsigned how)
{
    struct sbx_value copy = *value;
    if (!(how & QUOTED) && !x->single) {
        /* Names of files that were found before are cut where they have blanks. */
        text->modelled |= sbx_value_has(value, SBX_MASK_GLOB);
        expand_split(x, text, value);
        return;
    }
    if (x->pattern && !(how & QUOTED))
        sbx_mark_globs(x->j, &copy);
    sbx_text_append(text, &copy);
}

/* "$@" and "${a[@]}": the first joins what stands before, the last what follows. */
static void expand_list(struct expansion *x, struct sbx_text *text, const struct sbx_values *values,
                        unsigned how, const struct rest *after)
{
    bool open = false;
    uint32_t taint = 0;
    for (const struct sbx_value *v = values->first; v; v = v->next) {
        open |= v->several || v->unsure;
        taint |= v->taint;
    }
    while (after && !after->part)
        after = after->next;
    if (open && (text->len || after)) {
        /* Which one is the first or the last, and joins what stands next to it, is open. */
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, taint);
        text->several = true;
        return;
    }
    bool unsure = text->unsure;
    for (const struct sbx_value *v = values->first; v; v = v->next) {
        if (how & QUOTED)
            text->quoted = true;
        put_value(x, text, v, how);
        if (!v->next)
            break;
        if (text->len || text->quoted)
            emit(x, text);
        *text = (struct sbx_text){.arena = &x->j->arena, .unsure = unsure};
    }
}

/* "$*", and a list where one text is wanted. */
static void join_list(struct expansion *x, struct sbx_text *text, const struct sbx_values *values,
                      bool is_star)
{
    const char *between = is_star ? sbx_ifs(x->j) : " ";
    bool open = !between;
    uint32_t taint = 0;
    for (const struct sbx_value *v = values->first; v; v = v->next) {
        open |= (v->unsure || v->several) && values->count > 1;
        taint |= v->taint;
    }
    if (open) {
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, taint);
        return;
    }
    for (const struct sbx_value *v = values->first; v; v = v->next) {
        sbx_text_append(text, v);
        if (v->next)
            sbx_text_put(text, between, *between ? 1 : 0, SBX_MASK_LITERAL);
    }
    text->several = false;
}

/* "$@" alone may be no word at all; everything else in quotes is one. */
static bool is_only_list(const struct sbx_part *part)
{
    const struct sbx_param *p = part && !part->next ? part->param : NULL;
    const struct sbx_part *index = p && p->subscript ? p->subscript->parts : NULL;
    if (!p || p->length)
        return false;
    return p->prefix_list || (p->name_len == 1 && p->name[0] == '@') ||
           (index && index->text && index->text_len == 1 && index->text[0] == '@') ||
           (p->arg && is_only_list(p->arg->parts));
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* $x{a,b} is $xa and $xb: braces come first, and the name is another one. A name that was read whole is
 * never followed by a letter. */
static bool name_goes_on(const struct sbx_part *part)
{
    const struct sbx_param *param = part->param;
    const struct sbx_part *next = part->next;
    bool is_name = !param->name_len ||
                   (is_name_byte(*param->name) && (*param->name < '0' || *param->name > '9'));
    return is_name && part->op != '{' && next && next->kind == SBX_PART_LITERAL && next->text_len &&
           is_name_byte(*next->text);
}

static void expand_param(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                         const struct rest *next, unsigned how)
{
    const struct rest after = {part->next, next, how};
    if (!(how & QUOTED) && name_goes_on(part)) {
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, SBX_TAINT_UNKNOWN);
        text->eats_name = true;
        expand_rest(x, text, part->next, next, how);
        return;
    }
    struct sbx_param_values got = sbx_param_values(x->j, part->param);
    if (got.word) {
        /* The word of ${x:-word} stands in the place of the value, quotes and all. */
        struct sbx_text branch = got.word_alone ? *text : sbx_text_fork(text);
        branch.unsure |= got.word_unsure;
        branch.quoted = branch.quoted || (how & QUOTED && !is_only_list(got.word->parts));
        expand_rest(x, &branch, got.word->parts, &after,
                    how & QUOTED || x->single ? how : how | CUT);
        if (got.word_alone)
            return;
        text->unsure = true;
    }
    if (got.is_list && (x->single || (got.is_star && how & QUOTED))) {
        join_list(x, text, &got.values, got.is_star);
        expand_rest(x, text, part->next, next, how);
        return;
    }
    if (got.is_list) {
        expand_list(x, text, &got.values, how, &after);
        expand_rest(x, text, part->next, next, how);
        return;
    }
    for (struct sbx_value *v = got.values.first; v; v = v->next) {
        bool last = !v->next || x->fields + 1 >= SBX_JUDGE_FIELDS;
        struct sbx_text branch = last ? *text : sbx_text_fork(text);
        put_value(x, &branch, v, how);
        expand_rest(x, &branch, part->next, next, how);
        if (last)
            break;
    }
    if (!got.values.first)
        expand_rest(x, text, part->next, next, how);
}

static void expand_extglob(struct expansion *x, struct sbx_text *text, const struct sbx_part *part)
{
    /* The patterns may hold substitutions; the whole matches anything. */
    for (const struct sbx_word *word = part->words; word; word = word->next) {
        struct sbx_text scratch = {.arena = &x->j->arena};
        sbx_expand_parts(x->j, word->parts, &scratch);
    }
    if (x->pattern)
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, 0);
    else
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
    struct sbx_apart apart;
    sbx_apart_begin(j, &apart);
    const struct sbx_script *script = sbx_aliases_substitution(j, part);
    sbx_walk_script(j, script, part->op == '>' ? &in : NULL, &out);
    sbx_apart_end(j, &apart);
    char name[32];
    int len = snprintf(name, sizeof(name), "/dev/fd/%u", 63000 + j->made_count);
    sbx_text_put(text, name, (size_t)len, SBX_MASK_LITERAL);
    text->unsure = true; /* the number is another one */
    text->taint |= out.taint;
    sbx_made_add(j, name, out.text, out.taint, NULL);
    if (part->op == '>' && j->made)
        j->made->sink = script;
}

/* In ${x:-text} blanks end words, except where a backslash took that away: then nobody knows which. */
static void expand_literal_part(struct expansion *x, struct sbx_text *text,
                                const struct sbx_part *part, unsigned how)
{
    if (how != CUT) {
        size_t eaten = 0;
        while (text->eats_name && eaten < part->text_len && is_name_byte(part->text[eaten]))
            eaten++;
        text->eats_name = text->eats_name && eaten == part->text_len;
        sbx_text_put(text, part->text + eaten, part->text_len - eaten, SBX_MASK_LITERAL);
        return;
    }
    struct sbx_value *value = sbx_value_new(&x->j->arena, part->text, part->text_len);
    if (part->span.end - part->span.begin != part->text_len || !value)
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, 0);
    else
        expand_split(x, text, value);
}

/* Parts that give one text each. Returns false for those that may give several. */
static bool expand_plain(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                         unsigned how)
{
    switch (part->kind) {
    case SBX_PART_LITERAL:
        expand_literal_part(x, text, part, how);
        return true;
    case SBX_PART_SINGLE:
    case SBX_PART_ANSI:
        text->quoted = true;
        sbx_text_put(text, part->text, part->text_len, SBX_MASK_LITERAL);
        return true;
    case SBX_PART_GLOB:
        sbx_text_put(text, part->text, part->text_len,
                     how & QUOTED || (x->single && !x->pattern) ? SBX_MASK_LITERAL : SBX_MASK_GLOB);
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
    case SBX_PART_BRACE:
        /* Of `declare x={a,b}`, or behind set +B. */
        for (const struct sbx_word *word = part->words; word; word = word->next) {
            struct sbx_text scratch = {.arena = &x->j->arena};
            sbx_expand_parts(x->j, word->parts, &scratch);
        }
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, 0);
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
                           const struct rest *next, unsigned how)
{
    if (x->depth >= PARTS_DEPTH) {
        x->j->limit_hit = true;
        sbx_text_unknown(text, SBX_MASK_UNKNOWN, SBX_TAINT_UNKNOWN);
        emit(x, text);
        return;
    }
    x->depth++;
    text->eats_name = false;
    if (part->kind == SBX_PART_DOUBLE) {
        struct rest after = {part->next, next, how};
        text->quoted = text->quoted || !is_only_list(part->parts);
        expand_rest(x, text, part->parts, &after, QUOTED);
    } else if (part->kind == SBX_PART_PARAM) {
        expand_param(x, text, part, next, how);
    } else if (part->kind == SBX_PART_TILDE) {
        expand_tilde_name(x, text, part, next, how);
    }
    x->depth--;
}

static void expand_rest(struct expansion *x, struct sbx_text *text, const struct sbx_part *part,
                        const struct rest *next, unsigned how)
{
    for (;;) {
        while (!part && next) {
            part = next->part;
            how = next->how;
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
            is_tilde_name(x, part)) {
            expand_several(x, text, part, next, how);
            return;
        }
        if (part->kind != SBX_PART_LITERAL)
            text->eats_name = false;
        if (part->kind == SBX_PART_COMMAND) {
            struct sbx_text inner = {.arena = &x->j->arena};
            expand_command(x, &inner, part);
            struct sbx_value *value = sbx_text_value(&inner, part->span);
            if (value)
                put_value(x, text, value, how);
        } else {
            (void)expand_plain(x, text, part, how);
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

static bool expand_one_word(void *data, const struct sbx_part *parts)
{
    struct expansion *x = data;
    struct sbx_text text = {.arena = &x->j->arena};
    expand_rest(x, &text, parts, NULL, 0);
    return x->fields < SBX_JUDGE_FIELDS;
}

void sbx_expand(struct sbx_judge *j, const struct sbx_word *word, struct sbx_values *out)
{
    if (expand_literal(j, word, out))
        return;
    struct sbx_values fields;
    sbx_values_init(&fields);
    struct expansion x = {
        .j = j, .out = &fields, .span = word->span, .open = sbx_braces_hidden(word->parts)};
    const struct sbx_braces braces = {j, expand_one_word, &x};
    if (j->no_braces) {
        (void)expand_one_word(&x, word->parts);
    } else if (!sbx_braces_expand(&braces, word->parts, 0)) {
        struct sbx_text text = {.arena = &j->arena};
        sbx_text_unknown(&text, SBX_MASK_UNKNOWN, 0);
        j->limit_hit = j->limit_hit || may_run(word->parts);
        emit(&x, &text);
    }
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
    expand_rest(&x, &local, parts, NULL, 0);
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

bool sbx_expand_pattern(struct sbx_judge *j, const struct sbx_word *word, struct sbx_text *out)
{
    struct sbx_values values;
    struct sbx_text local = {.arena = &j->arena};
    sbx_values_init(&values);
    struct expansion x = {.j = j, .out = &values, .single = true, .pattern = true};
    expand_rest(&x, &local, word->parts, NULL, 0);
    const struct sbx_value *v = values.first;
    if (values.count != 1 || v->unsure || sbx_value_has(v, SBX_MASK_UNKNOWN) ||
        sbx_value_has(v, SBX_MASK_NONEMPTY))
        return false;
    for (uint32_t i = 0; i < v->len; i++) {
        bool glob = sbx_value_mask(v, i) == SBX_MASK_GLOB;
        bool lone = glob && v->text[i] == '[' && !memchr(v->text + i, ']', v->len - i);
        if (!v->text[i] || (unsigned char)v->text[i] >= 0x80 || lone)
            return false; /* of several bytes, or its inside is in other parts */
        if (!glob && strchr("*?[]\\", v->text[i]))
            sbx_text_put(out, "\\", 1, SBX_MASK_LITERAL);
        sbx_text_put(out, v->text + i, 1, glob ? SBX_MASK_GLOB : SBX_MASK_LITERAL);
    }
    sbx_text_put(out, "", 1, SBX_MASK_LITERAL);
    out->len--;
    return !out->failed;
}
