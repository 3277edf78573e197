/* Variables assigned in the input itself, with an undo log for subshells and function bodies. */
#include "policy/judge_state.h"

#include <string.h>

#define ALTERNATIVES_MAX 32

struct sbx_var_log {
    struct sbx_var_log *previous;
    struct sbx_var *var; /* that was put in front */
    uint32_t bucket;
};

/* A name that a function made its own, and what it was outside. */
struct sbx_local {
    struct sbx_local *previous;
    const char *name;
    size_t len;
    const struct sbx_var *outer;
    unsigned call_depth;
};

static uint32_t name_hash(const char *name, size_t len)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash;
}

static struct sbx_var *binding(const struct sbx_judge *j, const char *name, size_t len)
{
    struct sbx_var *var = j->vars[name_hash(name, len) % SBX_VAR_BUCKETS];
    for (; var; var = var->next)
        if (var->name_len == len && !memcmp(var->name, name, len))
            return var;
    return NULL;
}

struct sbx_var *sbx_var_find(const struct sbx_judge *j, const char *name, size_t len)
{
    struct sbx_var *var = binding(j, name, len);
    return var && !var->is_absent ? var : NULL;
}

/* A binding replaces an older one of the same name in place, so that a chain grows with the number
 * of names only; the log puts the old one back. */
static struct sbx_var *var_push(struct sbx_judge *j, const char *name, size_t len)
{
    uint32_t bucket = name_hash(name, len) % SBX_VAR_BUCKETS;
    struct sbx_var *var = sbx_arena_alloc(&j->arena, sizeof(*var));
    sbx_aliases_assigned(j, name, len);
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
                            .serial = ++j->var_serial,
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

static void copy_values(struct sbx_judge *j, struct sbx_values *to, const struct sbx_values *from)
{
    for (const struct sbx_value *v = from->first; v; v = v->next)
        sbx_values_add(to, copy_value(j, v));
}

static void make_unsure(struct sbx_values *values)
{
    for (struct sbx_value *v = values->first; v; v = v->next)
        v->unsure = true;
}

static void make_open(struct sbx_judge *j, struct sbx_var *var)
{
    struct sbx_value *unknown = sbx_value_unknown(&j->arena, 0);
    if (unknown)
        unknown->several = var->is_array;
    sbx_values_add(&var->values, unknown);
    make_unsure(&var->values);
    var->is_loose |= var->is_array;
}

static bool same_value(const struct sbx_value *a, const struct sbx_value *b)
{
    return a->len == b->len && !memcmp(a->text, b->text, a->len) && !a->mask == !b->mask &&
           (!a->mask || !memcmp(a->mask, b->mask, a->len));
}

static bool values_within(const struct sbx_values *values, const struct sbx_values *all)
{
    for (const struct sbx_value *v = values->first; v; v = v->next) {
        const struct sbx_value *w = all->first;
        while (w && !same_value(v, w))
            w = w->next;
        if (!w)
            return false;
    }
    return true;
}

/* The binding from before the mark. */
static const struct sbx_var *before(const struct sbx_var *var, const struct sbx_var_log *mark)
{
    uint32_t serial = mark ? mark->var->serial : 0;
    while (var && var->serial > serial)
        var = var->shadowed;
    return var;
}

void sbx_vars_blur(struct sbx_judge *j, struct sbx_var_log *mark)
{
    for (struct sbx_var_log *log = j->var_log; log && log != mark; log = log->previous) {
        struct sbx_var *var = log->var;
        if (binding(j, var->name, var->name_len) != var || var->is_absent)
            continue;
        const struct sbx_var *old = before(var, mark);
        if (old && !old->is_absent)
            continue; /* it kept what it was */
        var->depth = j->cond_depth;
        make_open(j, var);
    }
}

bool sbx_vars_widen(struct sbx_judge *j, struct sbx_var_log *mark)
{
    bool changed = false;
    for (struct sbx_var_log *log = j->var_log; log && log != mark; log = log->previous) {
        struct sbx_var *var = log->var;
        if (binding(j, var->name, var->name_len) != var || var->is_absent)
            continue;
        const struct sbx_var *old = before(var, mark);
        bool more = var->is_array && old && old->values.count != var->values.count;
        if (old && (more || !values_within(&var->values, &old->values))) {
            make_open(j, var);
            changed = true;
        }
    }
    return changed;
}

static const struct sbx_var *follow(const struct sbx_judge *j, const struct sbx_var *var)
{
    for (unsigned hops = 0; var && var->is_reference && var->values.count == 1 && hops < 8;
         hops++) {
        const struct sbx_value *name = var->values.first;
        if (!sbx_value_known(name) || !name->len)
            break;
        const struct sbx_var *target = binding(j, name->text, name->len);
        if (!target)
            break;
        var = target;
    }
    return var;
}

static void bound_alternatives(struct sbx_judge *j, struct sbx_var *var)
{
    uint32_t taint = 0;
    if (var->values.count <= ALTERNATIVES_MAX)
        return;
    for (struct sbx_value *v = var->values.first; v; v = v->next)
        taint |= v->taint;
    sbx_values_init(&var->values);
    sbx_values_add(&var->values, sbx_value_unknown(&j->arena, taint));
}

void sbx_var_set_list(struct sbx_judge *j, const char *name, size_t len, struct sbx_values values,
                      bool is_array)
{
    const struct sbx_var *old = binding(j, name, len), *target = follow(j, old);
    if (target != old && target) {
        name = target->name;
        len = target->name_len;
        old = target;
    }
    /* In a branch, a loop or a function nobody knows whether the assignment runs: both values
     * stay possible. So they do behind a break or return that may have skipped it. */
    bool doubt =
        old && !old->is_absent && (j->cond_depth > old->depth || j->broke_loop || j->left_call);
    bool keep = doubt && is_array == old->is_array;
    uint32_t depth = doubt ? old->depth : j->cond_depth;
    struct sbx_var *var = var_push(j, name, len);
    if (!var)
        return;
    var->depth = depth;
    var->is_array = is_array;
    var->is_integer = old && old->is_integer;
    var->maybe_unset = doubt && (old->is_unset || old->maybe_unset);
    if (keep)
        copy_values(j, &var->values, &old->values);
    copy_values(j, &var->values, &values);
    if (doubt && !keep)
        make_open(j, var);
    if (is_array && keep) {
        make_unsure(&var->values);
        var->is_loose = true;
    }
    if (!is_array)
        bound_alternatives(j, var);
    if (var->values.count > 1 && !is_array)
        make_unsure(&var->values);
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
    const struct sbx_var *old = sbx_var_find(j, name, len);
    bool doubt =
        old ? j->cond_depth > old->depth || j->broke_loop || j->left_call : j->cond_depth > 0;
    struct sbx_var *var = var_push(j, name, len);
    if (!var)
        return;
    var->is_unset = !doubt;
    if (!doubt)
        return;
    var->maybe_unset = true;
    if (old) {
        var->depth = old->depth;
        var->is_array = old->is_array;
        var->is_loose = old->is_array;
        copy_values(j, &var->values, &old->values);
        make_unsure(&var->values);
    } else {
        make_open(j, var);
    }
}

void sbx_var_restore(struct sbx_judge *j, const char *name, size_t len, const struct sbx_var *old)
{
    struct sbx_var *var = var_push(j, name, len);
    if (!var)
        return;
    if (!old || old->is_absent) {
        var->is_absent = true;
        return;
    }
    const struct sbx_var keep = *var;
    *var = *old;
    var->next = keep.next;
    var->shadowed = keep.shadowed;
    var->serial = keep.serial;
}

/* --- local names ------------------------------------------------------------------------------------------ */
void sbx_var_local(struct sbx_judge *j, const char *name, size_t len, bool is_assigned)
{
    for (const struct sbx_local *l = j->locals; l && l->call_depth == j->call_depth;
         l = l->previous)
        if (l->len == len && !memcmp(l->name, name, len))
            return;
    struct sbx_local *local = sbx_arena_alloc(&j->arena, sizeof(*local));
    if (!local) {
        j->no_memory = true;
        return;
    }
    const struct sbx_var *outer = sbx_var_find(j, name, len);
    *local = (struct sbx_local){j->locals, name, len, outer, j->call_depth};
    j->locals = local;
    struct sbx_var *var = is_assigned ? NULL : var_push(j, name, len);
    if (var)
        var->is_unset = true;
    else if (is_assigned)
        sbx_var_restore(j, name, len, NULL); /* what it was outside is no alternative */
}

void sbx_locals_end(struct sbx_judge *j, struct sbx_local *mark)
{
    for (; j->locals && j->locals != mark; j->locals = j->locals->previous)
        sbx_var_restore(j, j->locals->name, j->locals->len, j->locals->outer);
}

/* --- assignments ------------------------------------------------------------------------------------------ */
static void append_values(struct sbx_judge *j, const struct sbx_var *old, struct sbx_value *more,
                          struct sbx_values *out)
{
    for (const struct sbx_value *v = old->values.first; v; v = v->next) {
        struct sbx_text text = {.arena = &j->arena};
        sbx_text_append(&text, v);
        sbx_text_append(&text, more);
        sbx_values_add(out, sbx_text_value(&text, more->span));
    }
    if (old->is_unset || old->maybe_unset)
        sbx_values_add(out, more);
}

static void loosen(struct sbx_judge *j, const char *name, size_t len)
{
    struct sbx_var *var = sbx_var_find(j, name, len);
    if (!var)
        return;
    var->is_loose = true;
    make_unsure(&var->values);
}

static void assign_array(struct sbx_judge *j, const struct sbx_assign *assign)
{
    struct sbx_values values;
    bool loose = false;
    sbx_values_init(&values);
    struct sbx_var *old = assign->append ? sbx_var_find(j, assign->name, assign->name_len) : NULL;
    if (old) {
        copy_values(j, &values, &old->values);
        loose = old->is_loose || (!old->is_array && (old->values.count > 1 || old->maybe_unset));
    } else if (assign->append) {
        struct sbx_value *unknown = sbx_value_unknown(&j->arena, 0);
        if (unknown)
            unknown->several = true;
        sbx_values_add(&values, unknown);
        loose = true;
    }
    for (const struct sbx_assign *e = assign->elements; e; e = e->next) {
        if (e->subscript) {
            sbx_arith_check(j, e->subscript->parts);
            sbx_values_add(&values, e->value ? sbx_expand_one(j, e->value) : NULL);
            loose = true;
        } else if (e->value) {
            sbx_expand(j, e->value, &values);
        }
    }
    sbx_var_set_list(j, assign->name, assign->name_len, values, true);
    if (loose)
        loosen(j, assign->name, assign->name_len);
}

/* declare -n, declare -i: what a name stands for, and what is done with its values. */
void sbx_var_mark(struct sbx_judge *j, const char *name, size_t len, bool reference, bool integer)
{
    struct sbx_var *var = sbx_var_find(j, name, len);
    if (!var && (var = var_push(j, name, len)))
        var->is_unset = true;
    if (!var)
        return;
    for (struct sbx_value *v = var->values.first; v && reference; v = v->next)
        sbx_aliases_referred(j, v);
    var->is_reference = var->is_reference || reference;
    var->is_integer = var->is_integer || integer;
    if (!integer)
        return;
    for (struct sbx_value *v = var->values.first; v; v = v->next)
        if (!sbx_value_known(v) || !v->len || strspn(v->text, "123456789") != v->len) {
            struct sbx_value *next = v->next, *number = sbx_value_unknown(&j->arena, v->taint);
            if (number) {
                *v = *number;
                v->next = next;
            }
        }
}

/* a[i]=v: known where it is a number that names an element, or the next one. */
static void assign_element(struct sbx_judge *j, const struct sbx_assign *assign,
                           struct sbx_value *value)
{
    struct sbx_var *old = sbx_var_find(j, assign->name, assign->name_len);
    struct sbx_values values;
    sbx_values_init(&values);
    sbx_arith_check(j, assign->subscript->parts);
    const struct sbx_part *part = assign->subscript->parts;
    unsigned long at = ALTERNATIVES_MAX;
    if (part && !part->next && part->text && part->text_len == 1 && part->text[0] >= '0' &&
        part->text[0] <= '9')
        at = (unsigned long)(part->text[0] - '0');
    bool exact = old && !old->is_loose && (old->is_array || old->is_unset) && !assign->append &&
                 at <= old->values.count;
    for (struct sbx_value *v = old ? old->values.first : NULL; v; v = v->next, at--)
        sbx_values_add(&values, exact && !at ? value : copy_value(j, v));
    if (!exact || at == 0)
        sbx_values_add(&values, value);
    if (assign->append || !old)
        sbx_values_add(&values, sbx_value_unknown(&j->arena, value->taint));
    sbx_var_set_list(j, assign->name, assign->name_len, values, true);
    if (!exact)
        loosen(j, assign->name, assign->name_len);
}

void sbx_var_unset_element(struct sbx_judge *j, const char *name, size_t len)
{
    sbx_aliases_assigned(j, name, len);
    loosen(j, name, len);
}

/* Words of declare and its kin know braces: the last alternative stays. */
static bool may_brace(const struct sbx_assign *assign)
{
    const struct sbx_part *part = assign->value ? assign->value->parts : NULL;
    for (; part; part = part->next)
        if (part->kind == SBX_PART_LITERAL && memchr(part->text, '{', part->text_len))
            return true;
    return false;
}

void sbx_assign_declared(struct sbx_judge *j, const struct sbx_assign *assign)
{
    sbx_assign(j, assign);
    if (!assign->is_array && may_brace(assign))
        sbx_var_set(j, assign->name, assign->name_len,
                    sbx_value_unknown(&j->arena, SBX_TAINT_UNKNOWN));
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
    const struct sbx_var *old = follow(j, sbx_var_find(j, assign->name, assign->name_len));
    struct sbx_values values;
    sbx_values_init(&values);
    if (old && old->is_integer && sbx_value_holds_code(value))
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "code in a value that arithmetic evaluates",
                 "write the command itself instead of hiding it in a value");
    if (assign->subscript) {
        assign_element(j, assign, value);
        return;
    }
    bool counts = old && old->is_integer &&
                  (assign->append || !sbx_value_known(value) ||
                   strspn(value->text, "123456789") != value->len);
    if (counts) {
        struct sbx_text number = {.arena = &j->arena};
        sbx_text_unknown(&number, SBX_MASK_NONEMPTY, value->taint);
        sbx_values_add(&values, sbx_text_value(&number, value->span));
    } else if (assign->append && old && !old->is_array) {
        append_values(j, old, value, &values);
    } else if (assign->append) {
        struct sbx_text text = {.arena = &j->arena};
        sbx_text_unknown(&text, SBX_MASK_UNKNOWN, value->taint);
        sbx_text_append(&text, value);
        sbx_values_add(&values, sbx_text_value(&text, value->span));
    } else if (old && old->is_array) {
        /* Its first element. */
        copy_values(j, &values, &old->values);
        sbx_values_add(&values, value);
        make_unsure(&values);
        sbx_var_set_list(j, assign->name, assign->name_len, values, true);
        loosen(j, assign->name, assign->name_len);
        return;
    } else {
        sbx_values_add(&values, value);
    }
    sbx_var_set_list(j, assign->name, assign->name_len, values, false);
}
