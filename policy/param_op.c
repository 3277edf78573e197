/* Operators of ${...} that change a known text; and what arithmetic assigns. */
#include "policy/judge_state.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define PATTERN_BYTES 256   /* of a text that a pattern is tried on at every place */
#define BYTES_A_STEP  50000 /* compared bytes that cost as much as judging a command */

static bool is_ascii(const struct sbx_value *v)
{
    for (uint32_t i = 0; i < v->len; i++)
        if ((unsigned char)v->text[i] >= 0x80 || !v->text[i])
            return false;
    return true;
}

/* The ] that ends a bracket; NULL: it is none. */
static const char *bracket_end(const char *at)
{
    at += at[1] == '!' || at[1] == '^' ? 2 : 1;
    at += *at == ']';
    while (*at && *at != ']') {
        const char *named = at[0] == '[' && at[1] == ':' ? strstr(at + 2, ":]") : NULL;
        at += named ? (size_t)(named - at) + 2 : *at == '\\' && at[1] ? 2 : 1;
    }
    return *at ? at : NULL;
}

/* One sign of a pattern against one byte; *next is behind it. */
static bool sign_matches(const char *pattern, char byte, const char **next)
{
    char bracket[PATTERN_BYTES];
    const char one[] = {byte, 0};
    if (*pattern == '\\' && pattern[1]) {
        *next = pattern + 2;
        return pattern[1] == byte;
    }
    const char *end = *pattern == '[' ? bracket_end(pattern) : NULL;
    size_t len = end ? (size_t)(end - pattern) + 1 : 0;
    *next = end ? end + 1 : pattern + 1;
    if (!len || len >= sizeof(bracket))
        return *pattern == '?' || *pattern == byte;
    memcpy(bracket, pattern, len);
    bracket[len] = 0;
    return !fnmatch(bracket, one, 0);
}

/* As fnmatch(), which may take time without bound where a pattern has several stars. */
static bool like(const char *pattern, const char *text, uint32_t len)
{
    const char *star = NULL;
    uint32_t at = 0, resume = 0;
    for (;;) {
        const char *next = NULL;
        if (*pattern == '*') {
            star = ++pattern;
            resume = at;
        } else if (at < len && *pattern && sign_matches(pattern, text[at], &next)) {
            pattern = next;
            at++;
        } else if (at == len && !*pattern) {
            return true;
        } else if (!star || resume >= len) {
            return false;
        } else {
            pattern = star;
            at = ++resume;
        }
    }
}

/* Tries of a pattern on parts of a text are paid for. */
static bool pay(struct sbx_judge *j, const char *pattern, uint32_t len, size_t tries)
{
    return sbx_step(j, 1 + tries * len * strlen(pattern) / BYTES_A_STEP);
}

/* ${x#pattern}, ${x%%pattern}. */
static bool strip_affix(struct sbx_judge *j, struct sbx_value *v, const char *pattern,
                        const char *op)
{
    bool front = op[0] == '#', longest = op[1] != 0;
    if (v->len >= PATTERN_BYTES || !pay(j, pattern, v->len, v->len))
        return false;
    for (uint32_t i = 0; i <= v->len; i++) {
        uint32_t cut = longest ? v->len - i : i;
        if (!like(pattern, front ? v->text : v->text + v->len - cut, cut))
            continue;
        v->text += front ? cut : 0;
        v->len -= cut;
        break;
    }
    return true;
}

/* The longest match at i; -1 where there is none. */
static long match_at(const struct sbx_value *v, uint32_t i, const char *pattern, bool at_end)
{
    for (uint32_t len = v->len - i + 1; len--;) {
        if (like(pattern, v->text + i, len))
            return (long)len;
        if (at_end)
            return -1;
    }
    return -1;
}

/* ${x/pattern/to} and its kin. */
static struct sbx_value *replace(struct sbx_judge *j, const struct sbx_value *v, const char *from,
                                 const struct sbx_value *to, const char *op)
{
    struct sbx_text text = {
        .arena = &j->arena, .taint = v->taint, .unsure = v->unsure, .modelled = v->modelled};
    bool all = !strcmp(op, "//"), front = !strcmp(op, "/#"), end = !strcmp(op, "/%");
    bool done = !*from && !front && !end;
    if (v->len >= PATTERN_BYTES || !pay(j, from, v->len, (size_t)v->len * v->len / 2))
        return NULL;
    for (uint32_t i = 0; i <= v->len;) {
        long len = done || (front && i) ? -1 : match_at(v, i, from, end);
        /* Nothing is replaced where it stands at an end, and where it is all there is. */
        if (len > 0 || (!len && (front || end || !v->len))) {
            sbx_text_append(&text, to);
            i += (uint32_t)len;
            done = !all || !len;
            if (len || i >= v->len)
                continue;
        }
        if (i < v->len)
            sbx_text_put(&text, v->text + i, 1, SBX_MASK_LITERAL);
        i++;
    }
    return sbx_text_value(&text, v->span);
}

/* ${x^^pattern}: letters that match alone. */
static bool change_case(struct sbx_judge *j, struct sbx_value *v, const char *op,
                        const char *pattern)
{
    char *copy = sbx_arena_strndup(&j->arena, v->text, v->len);
    if (!copy || !is_ascii(v) || strchr("~", op[0]))
        return false;
    for (uint32_t i = 0; i < v->len && (op[1] || !i); i++)
        if (!*pattern || like(pattern, copy + i, 1))
            copy[i] = (char)(op[0] == '^' ? toupper((unsigned char)copy[i])
                                          : tolower((unsigned char)copy[i]));
    v->text = copy;
    return true;
}

/* A plain decimal number; nothing is 0. */
static bool plain_number(const struct sbx_value *value, long *out)
{
    char *end = NULL;
    const char *text = value->text;
    if (!sbx_value_known(value) || value->unsure)
        return false;
    *out = strtol(text, &end, 10);
    const char *digits = text + strspn(text, " -+");
    if (digits[0] == '0' && isdigit((unsigned char)digits[1]))
        return false; /* octal */
    return !end[strspn(end, " ")];
}

static bool slice(struct sbx_judge *j, const struct sbx_param *param, struct sbx_value *v)
{
    long range[2] = {0, (long)v->len};
    const struct sbx_word *words[2] = {param->arg, param->arg2};
    if (!is_ascii(v))
        return false;
    for (int i = 0; i < 2 && words[i]; i++)
        if (!plain_number(sbx_expand_one(j, words[i]), &range[i]))
            return false;
    long start = range[0] < 0 ? (long)v->len + range[0] : range[0];
    if (start < 0 || start > (long)v->len) {
        v->len = 0;
        return true;
    }
    long len = range[1] < 0 ? (long)v->len + range[1] - start : range[1];
    if (len > (long)v->len - start)
        len = (long)v->len - start;
    v->text += start;
    v->len = len > 0 ? (uint32_t)len : 0;
    return true;
}

/* ${x@Q} as bash writes it for plain text. */
static struct sbx_value *quote(struct sbx_judge *j, const struct sbx_value *v)
{
    struct sbx_text text = {
        .arena = &j->arena, .taint = v->taint, .unsure = v->unsure, .modelled = v->modelled};
    for (uint32_t i = 0; i < v->len; i++)
        if ((unsigned char)v->text[i] < ' ' || (unsigned char)v->text[i] >= 0x7f)
            return NULL;
    sbx_text_put(&text, "'", 1, SBX_MASK_LITERAL);
    for (uint32_t i = 0; i < v->len; i++) {
        if (v->text[i] == '\'')
            sbx_text_put(&text, "'\\''", 4, SBX_MASK_LITERAL);
        else
            sbx_text_put(&text, v->text + i, 1, SBX_MASK_LITERAL);
    }
    sbx_text_put(&text, "'", 1, SBX_MASK_LITERAL);
    return sbx_text_value(&text, v->span);
}

static struct sbx_value *transform(struct sbx_judge *j, struct sbx_value *v,
                                   const struct sbx_value *letter)
{
    switch (letter && letter->len == 1 ? letter->text[0] : 0) {
    case 'U':
        return change_case(j, v, "^^", "") ? v : NULL;
    case 'L':
        return change_case(j, v, ",,", "") ? v : NULL;
    case 'u':
        return change_case(j, v, "^", "") ? v : NULL;
    case 'Q':
        return quote(j, v);
    case 'E':
        return memchr(v->text, '\\', v->len) ? NULL : v;
    default:
        return NULL;
    }
}

static struct sbx_value *by_pattern(struct sbx_judge *j, const struct sbx_param *param,
                                    struct sbx_value *v)
{
    struct sbx_text pattern = {.arena = &j->arena};
    if (param->arg && !sbx_expand_pattern(j, param->arg, &pattern))
        return NULL;
    const char *text = pattern.text ? pattern.text : "";
    bool bytes_only = !pattern.masked || is_ascii(v);
    if (!bytes_only)
        return NULL;
    if (*param->op == '^' || *param->op == ',' || *param->op == '~')
        return change_case(j, v, param->op, text) ? v : NULL;
    if (*param->op != '/')
        return strip_affix(j, v, text, param->op) ? v : NULL;
    struct sbx_value *to =
        param->arg2 ? sbx_expand_one(j, param->arg2) : sbx_value_new(&j->arena, "", 0);
    if (!to || to->unsure || memchr(to->text, '&', to->len)) /* the match itself */
        return NULL;
    return replace(j, v, text, to, param->op);
}

struct sbx_value *sbx_param_apply(struct sbx_judge *j, const struct sbx_param *param,
                                  const struct sbx_value *value)
{
    struct sbx_value *v = sbx_value_copy(j, value);
    if (!v || !sbx_value_known(v))
        return NULL;
    v->quoted = false;
    switch (*param->op) {
    case '#':
    case '%':
    case '/':
    case '^':
    case ',':
    case '~':
        v = by_pattern(j, param, v);
        break;
    case ':':
        v = slice(j, param, v) ? v : NULL;
        break;
    case '@':
        v = transform(j, v, param->arg ? sbx_expand_one(j, param->arg) : NULL);
        break;
    default:
        return v;
    }
    char *text = v ? sbx_arena_strndup(&j->arena, v->text, v->len) : NULL;
    if (text)
        v->text = text;
    return v;
}

/* --- arithmetic -------------------------------------------------------------------------------------------- */
/* =, +=, <<= and their kin, ++ and --, behind a name. */
static bool assigns_behind(const char *at, const char *end)
{
    size_t run = 0;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    while (at + run < end && strchr("+-*/%&^|<>", at[run]) && at[run])
        run++;
    if (run >= 2 && (at[0] == '+' || at[0] == '-') && at[1] == at[0])
        return true;
    if (at + run >= end || at[run] != '=')
        return false;
    bool compares = at + run + 1 < end && at[run + 1] == '=';
    bool order = run == 1 && (*at == '<' || *at == '>');
    return !compares && !order;
}

static void assign_unknown(struct sbx_judge *j, const char *name, size_t len, bool is_element)
{
    struct sbx_text number = {.arena = &j->arena};
    const char *copy = sbx_arena_strndup(&j->arena, name, len);
    sbx_text_unknown(&number, SBX_MASK_NONEMPTY, 0);
    struct sbx_value *value = sbx_text_value(&number, j->span);
    if (!copy || !value)
        return;
    if (!is_element) {
        sbx_var_set(j, copy, len, value);
        return;
    }
    struct sbx_values values;
    const struct sbx_var *old = sbx_var_find(j, copy, len);
    sbx_values_init(&values);
    for (const struct sbx_value *v = old ? old->values.first : NULL; v; v = v->next)
        sbx_values_add(&values, sbx_value_copy(j, v));
    sbx_values_add(&values, value);
    sbx_var_set_list(j, copy, len, values, true);
    sbx_var_unset_element(j, copy, len);
}

void sbx_arith_assign(struct sbx_judge *j, const char *text, size_t len)
{
    const char *at = text, *end = text + len;
    while (at < end) {
        if (!isalpha((unsigned char)*at) && *at != '_') {
            at++;
            continue;
        }
        const char *name = at;
        while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
            at++;
        const char *behind = at, *front = name;
        bool is_element = behind < end && *behind == '[';
        for (unsigned depth = 0; is_element && behind < end; behind++) {
            depth += *behind == '[';
            depth -= *behind == ']';
            if (!depth) {
                behind++;
                break;
            }
        }
        while (front > text && (front[-1] == ' ' || front[-1] == '\t'))
            front--;
        bool before =
            front - text >= 2 && (front[-1] == '+' || front[-1] == '-') && front[-2] == front[-1];
        if (before || assigns_behind(behind, end))
            assign_unknown(j, name, (size_t)(at - name), is_element);
    }
}
