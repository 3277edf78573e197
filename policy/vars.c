/* Variables assigned in the input itself, with an undo log for subshells and function bodies. */
#include "policy/judge_state.h"

#include <string.h>

#define ALTERNATIVES_MAX 32

struct sbx_var_log {
    struct sbx_var_log *previous;
    struct sbx_var *var; /* that was put in front */
    uint32_t bucket;
};

static uint32_t name_hash(const char *name, size_t len)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash;
}

struct sbx_var *sbx_var_find(const struct sbx_judge *j, const char *name, size_t len)
{
    struct sbx_var *var = j->vars[name_hash(name, len) % SBX_VAR_BUCKETS];
    for (; var; var = var->next)
        if (var->name_len == len && !memcmp(var->name, name, len))
            return var;
    return NULL;
}

/* A binding replaces an older one of the same name in place, so that a chain grows with the number
 * of names only; the log puts the old one back. */
static struct sbx_var *var_push(struct sbx_judge *j, const char *name, size_t len)
{
    uint32_t bucket = name_hash(name, len) % SBX_VAR_BUCKETS;
    struct sbx_var *var = sbx_arena_alloc(&j->arena, sizeof(*var));
    struct sbx_var_log *log = sbx_arena_alloc(&j->arena, sizeof(*log));
    if (!var || !log) {
        j->no_memory = true;
        return NULL;
    }
    struct sbx_var **link = &j->vars[bucket];
    while (*link && ((*link)->name_len != len || memcmp((*link)->name, name, len)))
        link = &(*link)->next;
    if (!*link && ++j->var_count > SBX_VARS_MAX) {
        j->limit_hit = true;
        return NULL;
    }
    *var = (struct sbx_var){.name = name,
                            .name_len = (uint32_t)len,
                            .depth = j->cond_depth,
                            .shadowed = *link,
                            .next = *link ? (*link)->next : NULL};
    sbx_values_init(&var->values);
    *link = var;
    *log = (struct sbx_var_log){.previous = j->var_log, .var = var, .bucket = bucket};
    j->var_log = log;
    return var;
}

struct sbx_var_log *sbx_vars_mark(struct sbx_judge *j)
{
    return j->var_log;
}

void sbx_vars_rollback(struct sbx_judge *j, struct sbx_var_log *mark)
{
    while (j->var_log && j->var_log != mark) {
        struct sbx_var_log *log = j->var_log;
        struct sbx_var **link = &j->vars[log->bucket];
        while (*link && *link != log->var)
            link = &(*link)->next;
        if (*link) {
            if (log->var->shadowed) {
                log->var->shadowed->next = log->var->next;
                *link = log->var->shadowed;
            } else {
                *link = log->var->next;
            }
        }
        j->var_log = log->previous;
    }
}

static struct sbx_value *copy_value(struct sbx_judge *j, const struct sbx_value *value)
{
    struct sbx_value *copy = sbx_arena_alloc(&j->arena, sizeof(*copy));
    if (!copy) {
        j->no_memory = true;
        return NULL;
    }
    *copy = *value;
    copy->next = NULL;
    return copy;
}

void sbx_var_set_list(struct sbx_judge *j, const char *name, size_t len, struct sbx_values values,
                      bool is_array)
{
    struct sbx_var *old = sbx_var_find(j, name, len);
    /* In a branch, a loop or a function nobody knows whether the assignment runs: both values
     * stay possible. */
    bool keep = old && !is_array && !old->is_array && !old->is_unset && j->cond_depth > old->depth;
    uint32_t depth = keep ? old->depth : j->cond_depth;
    struct sbx_var *var = var_push(j, name, len);
    if (!var)
        return;
    var->depth = depth;
    var->is_array = is_array;
    var->is_integer = old && old->is_integer;
    if (keep) {
        for (struct sbx_value *v = old->values.first; v; v = v->next)
            sbx_values_add(&var->values, copy_value(j, v));
    }
    for (struct sbx_value *v = values.first; v; v = v->next)
        sbx_values_add(&var->values, copy_value(j, v));
    if (!is_array && var->values.count > ALTERNATIVES_MAX) {
        uint32_t taint = 0;
        for (struct sbx_value *v = var->values.first; v; v = v->next)
            taint |= v->taint;
        sbx_values_init(&var->values);
        sbx_values_add(&var->values, sbx_value_unknown(&j->arena, taint));
    }
    if (var->values.count > 1 && !is_array)
        for (struct sbx_value *v = var->values.first; v; v = v->next)
            v->unsure = true;
}

void sbx_var_set(struct sbx_judge *j, const char *name, size_t len, struct sbx_value *value)
{
    struct sbx_values values;
    sbx_values_init(&values);
    if (value)
        sbx_values_add(&values, copy_value(j, value));
    sbx_var_set_list(j, name, len, values, false);
}

void sbx_var_unset(struct sbx_judge *j, const char *name, size_t len)
{
    struct sbx_var *var = var_push(j, name, len);
    if (var)
        var->is_unset = true;
}

static void append_values(struct sbx_judge *j, const struct sbx_var *old, struct sbx_value *more,
                          struct sbx_values *out)
{
    for (const struct sbx_value *v = old->values.first; v; v = v->next) {
        struct sbx_text text = {.arena = &j->arena};
        sbx_text_append(&text, v);
        sbx_text_append(&text, more);
        sbx_values_add(out, sbx_text_value(&text, more->span));
    }
}

static void assign_array(struct sbx_judge *j, const struct sbx_assign *assign)
{
    struct sbx_values values;
    sbx_values_init(&values);
    struct sbx_var *old = assign->append ? sbx_var_find(j, assign->name, assign->name_len) : NULL;
    for (struct sbx_value *v = old ? old->values.first : NULL; v; v = v->next)
        sbx_values_add(&values, copy_value(j, v));
    for (const struct sbx_assign *e = assign->elements; e; e = e->next) {
        if (e->subscript) {
            sbx_arith_check(j, e->subscript->parts);
            sbx_values_add(&values, e->value ? sbx_expand_one(j, e->value) : NULL);
        } else if (e->value) {
            sbx_expand(j, e->value, &values);
        }
    }
    sbx_var_set_list(j, assign->name, assign->name_len, values, true);
}

/* declare -n, declare -i: what a name stands for, and what is done with its values. */
void sbx_var_mark(struct sbx_judge *j, const char *name, size_t len, bool reference, bool integer)
{
    struct sbx_var *var = sbx_var_find(j, name, len);
    if (!var && (var = var_push(j, name, len)))
        var->is_unset = true;
    if (!var)
        return;
    var->is_reference = var->is_reference || reference;
    var->is_integer = var->is_integer || integer;
}

void sbx_assign(struct sbx_judge *j, const struct sbx_assign *assign)
{
    if (assign->is_array) {
        assign_array(j, assign);
        return;
    }
    struct sbx_value *value =
        assign->value ? sbx_expand_one(j, assign->value) : sbx_value_new(&j->arena, "", 0);
    if (!value) {
        j->no_memory = true;
        return;
    }
    struct sbx_var *old = sbx_var_find(j, assign->name, assign->name_len);
    struct sbx_values values;
    sbx_values_init(&values);
    if (old && old->is_integer && sbx_value_holds_code(value))
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "code in a value that arithmetic evaluates",
                 "write the command itself instead of hiding it in a value");
    if (assign->subscript) {
        /* Which element it is stays open; all of them stay possible. */
        sbx_arith_check(j, assign->subscript->parts);
        for (struct sbx_value *v = old ? old->values.first : NULL; v; v = v->next)
            sbx_values_add(&values, copy_value(j, v));
        sbx_values_add(&values, value);
        sbx_var_set_list(j, assign->name, assign->name_len, values, true);
        return;
    }
    if (assign->append && old && !old->is_array)
        append_values(j, old, value, &values);
    else if (assign->append && !old) {
        struct sbx_text text = {.arena = &j->arena};
        sbx_text_unknown(&text, SBX_MASK_UNKNOWN, value->taint);
        sbx_text_append(&text, value);
        sbx_values_add(&values, sbx_text_value(&text, value->span));
    } else
        sbx_values_add(&values, value);
    sbx_var_set_list(j, assign->name, assign->name_len, values, false);
}
