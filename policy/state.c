/* What the meaning of words depends on besides variables: arguments, and what builtins do to both. */
#include "policy/judge_state.h"

#include <stdlib.h>
#include <string.h>

/* --- arguments --------------------------------------------------------------------------------------------- */
void sbx_args_save(const struct sbx_judge *j, struct sbx_args *saved)
{
    memcpy(saved->positional, j->positional, sizeof(saved->positional));
    saved->arguments = j->arguments;
    saved->known = j->arguments_known;
    saved->loose = j->arguments_loose;
    saved->maybe = j->arguments_maybe;
    saved->of_call = j->arguments_of_call;
}

void sbx_args_restore(struct sbx_judge *j, const struct sbx_args *saved)
{
    memcpy(j->positional, saved->positional, sizeof(saved->positional));
    j->arguments = saved->arguments;
    j->arguments_known = saved->known;
    j->arguments_loose = saved->loose;
    j->arguments_maybe = saved->maybe;
    j->arguments_of_call = saved->of_call;
}

/* One word, whatever it is. */
static bool is_one_word(const struct sbx_value *v)
{
    return !v->unsure && !v->several && !sbx_value_has(v, SBX_MASK_GLOB) &&
           (sbx_value_known(v) || v->quoted);
}

void sbx_args_set(struct sbx_judge *j, struct sbx_value *const *words, uint32_t count)
{
    memset(j->positional + 1, 0, sizeof(j->positional) - sizeof(*j->positional));
    sbx_values_init(&j->arguments);
    j->arguments_known = true;
    j->arguments_loose = j->arguments_maybe = j->arguments_of_call = false;
    j->arguments_serial++;
    for (uint32_t i = 0; i < count; i++) {
        struct sbx_value *copy = sbx_value_copy(j, words[i]);
        if (!copy)
            return;
        sbx_values_add(&j->arguments, copy);
        j->arguments_loose |= !is_one_word(copy);
        if (i < 9 && !j->arguments_loose)
            j->positional[i + 1] = copy;
    }
}

void sbx_args_lose(struct sbx_judge *j)
{
    memset(j->positional + 1, 0, sizeof(j->positional) - sizeof(*j->positional));
    sbx_values_init(&j->arguments);
    j->arguments_known = j->arguments_maybe = j->arguments_of_call = false;
    j->arguments_serial++;
}

/* These, or others: what was set in a branch. */
void sbx_args_doubt(struct sbx_judge *j)
{
    struct sbx_values values;
    sbx_values_init(&values);
    for (const struct sbx_value *v = j->arguments.first; v; v = v->next)
        sbx_values_add(&values, sbx_value_copy(j, v));
    struct sbx_value *more = sbx_value_unknown(&j->arena, SBX_TAINT_UNKNOWN);
    if (more)
        more->several = true;
    sbx_values_add(&values, more);
    for (struct sbx_value *v = values.first; v; v = v->next)
        v->unsure = true;
    j->arguments = values;
    j->arguments_loose = j->arguments_maybe = j->arguments_known = true;
}

#define SHIFTED_MAX 64

static void shift(struct sbx_judge *j, const struct sbx_use *use)
{
    struct sbx_value *words[SHIFTED_MAX] = {NULL};
    uint32_t count = 0;
    unsigned long by = 1;
    if (use->operands)
        by = sbx_value_known(use->operand[0]) && use->operand[0]->len == 1
                 ? (unsigned long)(use->operand[0]->text[0] - '0')
                 : 10;
    bool known = j->arguments_known && !j->arguments_loose && !j->arguments_maybe && by < 10 &&
                 j->arguments.count <= SHIFTED_MAX;
    if (!known) {
        bool of_call = j->arguments_of_call;
        sbx_args_lose(j);
        j->arguments_of_call = of_call;
        return;
    }
    if (by > j->arguments.count)
        return; /* it fails */
    for (struct sbx_value *v = j->arguments.first; v; v = v->next)
        words[count++] = v;
    sbx_args_set(j, words + by, count - (uint32_t)by);
}

/* set -e -o pipefail -- a b: from the first word that is no option on. */
static void set_arguments(struct sbx_judge *j, const struct sbx_use *use)
{
    uint32_t at = 1;
    bool dashes = false;
    for (; at < use->words && !dashes; at++) {
        const struct sbx_value *word = use->word[at];
        if (!word->len || !sbx_value_known(word) || !strchr("-+", word->text[0]))
            break;
        dashes = word->len == 1 || sbx_value_is(word, "--");
        at += !dashes && word->text[word->len - 1] == 'o';
    }
    if (at < use->words)
        sbx_args_set(j, use->word + at, use->words - at);
    else if (dashes)
        sbx_args_set(j, NULL, 0);
}

/* --- builtins ------------------------------------------------------------------------------------------------ */
static bool is_name(const struct sbx_use *use, const char *name)
{
    return !strcmp(use->name, name);
}

static void set_unknown(struct sbx_judge *j, const char *name, size_t len)
{
    sbx_var_set(j, name, len, sbx_value_unknown(&j->arena, SBX_TAINT_UNKNOWN));
}

static void unset(struct sbx_judge *j, const struct sbx_use *use)
{
    bool functions = sbx_use_has(use, "-f"), variables = sbx_use_has(use, "-v -n");
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        const char *bracket = memchr(word->text, '[', word->len);
        bool bound = sbx_var_find(j, word->text, word->len) != NULL;
        if (bracket)
            sbx_var_unset_element(j, word->text, (size_t)(bracket - word->text));
        else if (!functions)
            sbx_var_unset(j, word->text, word->len);
        struct sbx_function *f = sbx_function_find(j, word->text, word->len);
        if (f && !variables && (functions || !bound)) {
            f->is_maybe = true;
            f->is_gone = !j->cond_depth && !j->apart;
        }
    }
}

void sbx_builtin_effects(struct sbx_judge *j, const struct sbx_use *use)
{
    if (is_name(use, "shift"))
        shift(j, use);
    else if (is_name(use, "set"))
        set_arguments(j, use);
    else if (is_name(use, "unset"))
        unset(j, use);
    else if (is_name(use, "break") || is_name(use, "continue"))
        j->broke_loop = j->loop_depth > 0;
    else if (is_name(use, "return"))
        j->left_call = j->call_depth > 0;
    else if (is_name(use, "getopts") && use->operands > 1)
        set_unknown(j, use->operand[1]->text, use->operand[1]->len);
    else if (is_name(use, "read") && !use->operands)
        set_unknown(j, "REPLY", 5);
    for (uint32_t i = 1; is_name(use, "let") && i < use->words; i++)
        sbx_arith_assign(j, use->word[i]->text, use->word[i]->len);
    for (uint32_t i = 1; is_name(use, "set") && i < use->words; i++) {
        const struct sbx_value *word = use->word[i];
        j->no_braces |= word->len > 1 && word->text[0] == '+' && memchr(word->text, 'B', word->len);
        j->no_braces |= sbx_value_is(word, "braceexpand");
    }
}

/* --- branches, and processes of their own ------------------------------------------------------------------ */
struct sbx_region sbx_region_begin(const struct sbx_judge *j)
{
    return (struct sbx_region){j->var_log, j->arguments_serial};
}

void sbx_region_end(struct sbx_judge *j, const struct sbx_region *region)
{
    sbx_vars_blur(j, region->mark);
    if (j->arguments_serial != region->arguments_serial)
        sbx_args_doubt(j);
}

void sbx_apart_begin(struct sbx_judge *j, struct sbx_apart *apart)
{
    apart->mark = sbx_vars_mark(j);
    apart->cwd = sbx_cwd_save(j);
    sbx_args_save(j, &apart->args);
    j->apart++;
}

void sbx_apart_end(struct sbx_judge *j, const struct sbx_apart *apart)
{
    j->apart--;
    sbx_args_restore(j, &apart->args);
    sbx_cwd_restore(j, apart->cwd);
    sbx_vars_rollback(j, apart->mark);
}
