/* Follows the tree the way bash would run it: every branch, every body, called or not. */
#include "policy/classify.h"

#include <string.h>

void sbx_flow_join(struct sbx_judge *j, struct sbx_flow *flow, const struct sbx_flow *more)
{
    if (!more->is_set)
        return;
    if (!flow->is_set) {
        *flow = *more;
        return;
    }
    flow->taint |= more->taint;
    if (!flow->text || !more->text) {
        flow->text = NULL;
        return;
    }
    struct sbx_text text = {.arena = &j->arena};
    sbx_text_append(&text, flow->text);
    sbx_text_append(&text, more->text);
    flow->text = sbx_text_value(&text, flow->text->span);
}

/* --- functions ------------------------------------------------------------------------------------------------ */
static uint32_t hash(const char *name, size_t len)
{
    uint32_t value = 5381;
    for (size_t i = 0; i < len; i++)
        value = value * 33 + (unsigned char)name[i];
    return value;
}

struct sbx_function *sbx_function_find(struct sbx_judge *j, const char *name, size_t len)
{
    uint32_t key = hash(name, len);
    struct sbx_function *f = j->functions[key % SBX_VAR_BUCKETS];
    while (f && (f->name_hash != key || f->name_len != len || memcmp(f->name, name, len)))
        f = f->next;
    return f;
}

void sbx_function_define(struct sbx_judge *j, const char *name, size_t len,
                         struct sbx_function made)
{
    if (j->function_count++ >= SBX_VARS_MAX) {
        j->limit_hit = true;
        return;
    }
    struct sbx_function *f = sbx_arena_alloc(&j->arena, sizeof(*f));
    if (!f) {
        j->no_memory = true;
        return;
    }
    *f = made;
    f->is_maybe = j->cond_depth > 0 || j->apart > 0;
    f->name = name;
    f->name_len = (uint32_t)len;
    f->name_hash = hash(name, len);
    f->next = j->functions[f->name_hash % SBX_VAR_BUCKETS];
    j->functions[f->name_hash % SBX_VAR_BUCKETS] = f;
}

void sbx_find_fork_bomb(struct sbx_judge *j)
{
    sbx_find(j, SBX_DENY, SBX_CLASS_FORK_BOMB, "processes without bound",
             "give the loop an end, or wait for each process before starting the next");
}

/* A function that calls itself in the background, or twice in a pipe, fills the machine. */
static void find_recursion(struct sbx_judge *j, struct sbx_function *f)
{
    f->calls_itself = true;
    if (j->background > f->background)
        sbx_find_fork_bomb(j);
    else if (j->piped > f->piped && ++f->piped_calls > 1)
        sbx_find_fork_bomb(j);
}

void sbx_walk_call(struct sbx_judge *j, struct sbx_function *f, const struct sbx_use *use)
{
    if (f->is_running) {
        find_recursion(j, f);
        return;
    }
    if (j->depth >= SBX_JUDGE_DEPTH || !f->body) {
        j->limit_hit |= f->body != NULL;
        return;
    }
    struct sbx_args saved;
    struct sbx_local *locals = j->locals;
    bool left = j->left_call;
    sbx_args_save(j, &saved);
    sbx_args_set(j, use->word + 1, use->words - 1);
    j->left_call = false;
    j->call_depth++;
    bool nested = j->nested_text;
    j->nested_text = true;
    f->is_running = true;
    f->background = j->background;
    f->piped = j->piped;
    f->piped_calls = 0;
    j->depth++;
    struct sbx_var_log *mark = sbx_vars_mark(j);
    f->calls_itself = false;
    sbx_walk_command(j, f->body, use->in, use->out);
    if (f->calls_itself) {
        /* The inner call has other arguments, and sees what the outer one changed. */
        (void)sbx_vars_widen(j, mark);
        sbx_args_doubt(j);
        sbx_walk_command(j, f->body, use->in, use->out);
    }
    j->depth--;
    f->is_running = false;
    j->nested_text = nested;
    sbx_locals_end(j, locals);
    j->call_depth--;
    j->left_call = left;
    sbx_args_restore(j, &saved);
}

/* The body is judged where it is written, called or not; its arguments are not known there. */
static void walk_function(struct sbx_judge *j, const struct sbx_command *command)
{
    if (!command->body || !command->body->pipelines || !command->body->pipelines->commands)
        return;
    struct sbx_command *body = command->body->pipelines->commands;
    sbx_function_define(j, command->name, command->name_len, (struct sbx_function){.body = body});
    struct sbx_function *f = sbx_function_find(j, command->name, command->name_len);
    if (!f)
        return;
    struct sbx_apart apart;
    struct sbx_local *locals = j->locals;
    struct sbx_flow out = {0};
    bool broke = j->broke_loop, left = j->left_call;
    sbx_apart_begin(j, &apart);
    sbx_args_lose(j);
    j->positional[0] = NULL;
    j->arguments_of_call = true;
    j->call_depth++;
    f->is_running = true;
    f->background = j->background;
    f->piped = j->piped;
    f->piped_calls = 0;
    j->cond_depth++;
    sbx_walk_command(j, body, NULL, &out);
    j->cond_depth--;
    f->is_running = false;
    j->call_depth--;
    j->locals = locals;
    j->broke_loop = broke;
    j->left_call = left;
    sbx_apart_end(j, &apart);
    sbx_classify_shadow(j, command->name, command->name_len);
}

/* --- loops ------------------------------------------------------------------------------------------------------ */
/* The condition is looked at again before each round. */
static void walk_round(struct sbx_judge *j, const struct sbx_command *command,
                       const struct sbx_flow *in, struct sbx_flow *out)
{
    struct sbx_flow ignored = {0};
    sbx_walk_script(j, command->body, in, out);
    if (command->condition && command->kind != SBX_CMD_IF)
        sbx_walk_script(j, command->condition, in, &ignored);
    for (const struct sbx_word *word = command->words; word && command->kind == SBX_CMD_ARITH_FOR;
         word = word->next)
        sbx_arith_check(j, word->parts);
}

static void walk_body(struct sbx_judge *j, const struct sbx_command *command,
                      const struct sbx_flow *in, struct sbx_flow *out)
{
    if (!command->body)
        return;
    if (sbx_loop_is_bomb(command, in))
        sbx_find_fork_bomb(j);
    if (sbx_loop_fills_disk(command, in))
        sbx_find_endless_file(j);
    const struct sbx_region region = sbx_region_begin(j);
    bool broke = j->broke_loop;
    j->cond_depth++;
    j->loop_depth++;
    walk_round(j, command, in, out);
    /* What the first round assigned, the second one sees; what the second one changes is open. */
    struct sbx_var_log *mark = sbx_vars_mark(j);
    bool changed = j->arguments_serial != region.arguments_serial;
    if (changed)
        sbx_args_lose(j);
    if ((mark != region.mark || changed) && j->loop_depth == 1) {
        walk_round(j, command, in, out);
        if (changed)
            sbx_args_lose(j);
        if (sbx_vars_widen(j, mark))
            walk_round(j, command, in, out);
    }
    j->loop_depth--;
    j->cond_depth--;
    j->broke_loop = broke;
    sbx_region_end(j, &region);
    /* How often it ran, and with what, is open. */
    out->text = NULL;
    out->is_set = true;
    out->taint |= SBX_TAINT_UNKNOWN;
}

/* A list that may be empty leaves the name alone. */
static void set_loop_name(struct sbx_judge *j, const struct sbx_command *command,
                          struct sbx_values values)
{
    bool runs = false;
    for (const struct sbx_value *v = values.first; v; v = v->next)
        runs |= !v->several && (!v->unsure || sbx_value_has(v, SBX_MASK_GLOB));
    if (!values.first)
        return;
    const struct sbx_region region = sbx_region_begin(j);
    if (runs)
        sbx_var_unset(j, command->name, command->name_len);
    j->cond_depth += !runs;
    sbx_var_set_list(j, command->name, command->name_len, values, false);
    j->cond_depth -= !runs;
    if (!runs)
        sbx_region_end(j, &region);
}

static void walk_for(struct sbx_judge *j, const struct sbx_command *command,
                     const struct sbx_flow *in, struct sbx_flow *out)
{
    struct sbx_values values;
    sbx_values_init(&values);
    if (command->has_in) {
        for (const struct sbx_word *word = command->words; word; word = word->next)
            sbx_expand(j, word, &values);
    } else {
        for (const struct sbx_value *v = j->arguments.first; v; v = v->next)
            sbx_values_add(&values, sbx_value_copy(j, v));
        if (!j->arguments_known)
            sbx_values_add(&values, sbx_value_unknown(&j->arena, SBX_TAINT_UNKNOWN));
    }
    for (struct sbx_value *v = values.first; v; v = v->next)
        v->unsure = v->unsure || sbx_value_has(v, SBX_MASK_GLOB);
    /* Every word is a value that the name may have: judged all at once. */
    set_loop_name(j, command, values);
    walk_body(j, command, in, out);
}

static void walk_while(struct sbx_judge *j, const struct sbx_command *command,
                       const struct sbx_flow *in, struct sbx_flow *out)
{
    struct sbx_flow ignored = {0};
    if (command->condition)
        sbx_walk_script(j, command->condition, in, &ignored);
    walk_body(j, command, in, out);
}

/* --- the rest of the compound commands -------------------------------------------------------------------------- */
static void walk_clauses(struct sbx_judge *j, const struct sbx_command *command,
                         const struct sbx_flow *in, struct sbx_flow *out)
{
    if (command->subject)
        (void)sbx_expand_one(j, command->subject);
    for (const struct sbx_clause *clause = command->clauses; clause; clause = clause->next) {
        struct sbx_flow one = {0};
        for (const struct sbx_word *word = clause->patterns; word; word = word->next)
            (void)sbx_expand_one(j, word);
        /* The first condition of an if is looked at for certain. */
        const struct sbx_region region = sbx_region_begin(j);
        bool certain = clause == command->clauses;
        j->cond_depth += !certain;
        if (clause->condition)
            sbx_walk_script(j, clause->condition, in, &one);
        j->cond_depth += certain;
        const struct sbx_region body = certain ? sbx_region_begin(j) : region;
        if (clause->body)
            sbx_walk_script(j, clause->body, in, &one);
        j->cond_depth--;
        sbx_region_end(j, &body);
        out->taint |= one.taint;
        out->is_set = true;
    }
    out->text = NULL;
}

static void walk_subshell(struct sbx_judge *j, const struct sbx_script *body,
                          const struct sbx_flow *in, struct sbx_flow *out)
{
    struct sbx_apart apart;
    sbx_apart_begin(j, &apart);
    if (body)
        sbx_walk_script(j, body, in, out);
    sbx_apart_end(j, &apart);
}

static void walk_cond(struct sbx_judge *j, const struct sbx_command *command)
{
    struct sbx_values values;
    sbx_values_init(&values);
    for (const struct sbx_word *word = command->words; word; word = word->next) {
        struct sbx_value *value = sbx_expand_one(j, word);
        if (sbx_value_known(value))
            sbx_values_add(&values, value);
        else
            sbx_expand(j, word, &values); /* one of several: each counts */
    }
    sbx_classify_test(j, &values);
}

static void walk_kind(struct sbx_judge *j, const struct sbx_command *c, const struct sbx_flow *in,
                      struct sbx_flow *out)
{
    switch (c->kind) {
    case SBX_CMD_SIMPLE:
        break; /* with its redirections: sbx_walk_simple */
    case SBX_CMD_GROUP:
        if (c->body)
            sbx_walk_script(j, c->body, in, out);
        break;
    case SBX_CMD_SUBSHELL:
        walk_subshell(j, c->body, in, out);
        break;
    case SBX_CMD_COPROC: {
        struct sbx_flow ignored = {0};
        walk_subshell(j, c->body, NULL, &ignored);
        break;
    }
    case SBX_CMD_IF:
    case SBX_CMD_CASE:
        walk_clauses(j, c, in, out);
        break;
    case SBX_CMD_WHILE:
    case SBX_CMD_UNTIL:
        walk_while(j, c, in, out);
        break;
    case SBX_CMD_FOR:
    case SBX_CMD_SELECT:
        walk_for(j, c, in, out);
        break;
    case SBX_CMD_ARITH_FOR:
        for (const struct sbx_word *word = c->words; word; word = word->next)
            sbx_arith_check(j, word->parts);
        walk_body(j, c, in, out);
        break;
    case SBX_CMD_FUNCTION:
        walk_function(j, c);
        break;
    case SBX_CMD_COND:
        walk_cond(j, c);
        break;
    case SBX_CMD_ARITH:
        if (c->words)
            sbx_arith_check(j, c->words->parts);
        break;
    }
}

/* In the text as it was typed. */
static struct sbx_span span_of(const struct sbx_judge *j, struct sbx_span span)
{
    struct sbx_span out = span;
    if (j->source) {
        (void)sbx_source_place(j->source, span.begin, false, &out.begin);
        (void)sbx_source_place(j->source, span.end, true, &out.end);
    }
    return out;
}

void sbx_walk_command(struct sbx_judge *j, const struct sbx_command *command,
                      const struct sbx_flow *in, struct sbx_flow *out)
{
    if (!j->nested_text)
        j->span = span_of(j, command->span);
    if (command->kind == SBX_CMD_SIMPLE) {
        sbx_walk_simple(j, command, in, out);
        return;
    }
    if (!command->redirs) {
        walk_kind(j, command, in, out);
        return;
    }
    struct sbx_redirected r = {.in = in ? *in : (struct sbx_flow){0}};
    struct sbx_flow own = {0};
    sbx_redirs_enter(j, command->redirs, &r);
    walk_kind(j, command, &r.in, &own);
    sbx_redirs_leave(j, &r, &own, out);
}

/* --- pipelines and lists ------------------------------------------------------------------------------------------ */
static void walk_pipeline(struct sbx_judge *j, const struct sbx_pipeline *pipeline,
                          const struct sbx_flow *in, struct sbx_flow *out)
{
    const struct sbx_command *c = pipeline->commands;
    if (c && !c->next) {
        sbx_walk_command(j, c, in, out);
        return;
    }
    struct sbx_flow from = in ? *in : (struct sbx_flow){0};
    j->piped++;
    for (; c; c = c->next) {
        /* Each stage is a process of its own: what it assigns is gone after it. */
        struct sbx_flow to = {0};
        struct sbx_apart apart;
        sbx_apart_begin(j, &apart);
        sbx_walk_command(j, c, from.is_set ? &from : in, &to);
        sbx_apart_end(j, &apart);
        if (c->next) {
            to.is_set = true;
            from = to;
        } else {
            *out = to;
        }
    }
    j->piped--;
}

struct reading {
    const struct sbx_source *source;
    unsigned serial; /* of the aliases it was read with */
};

/* bash reads a line when it has run the one before: with other aliases where that changed them. */
static const struct sbx_pipeline *next_pipeline(struct sbx_judge *j, struct reading *reading,
                                                const struct sbx_pipeline *p)
{
    bool is_new_line = p->ends_line && reading->source && reading->serial != j->alias.serial;
    if (!is_new_line || !p->next)
        return p->next;
    reading->serial = j->alias.serial;
    return sbx_aliases_next_line(j, &reading->source, p->next);
}

void sbx_walk_script(struct sbx_judge *j, const struct sbx_script *script,
                     const struct sbx_flow *in, struct sbx_flow *out)
{
    unsigned cond = j->cond_depth;
    struct sbx_flow all = {0};
    if (!script) {
        /* bash reads it when it runs it: leading lines may run before the syntax error shows. */
        sbx_find(j, SBX_ASK, SBX_CLASS_UNPARSED, "a substitution that is no shell syntax",
                 "mend the text of the substitution");
        if (out)
            *out = (struct sbx_flow){.is_set = true, .taint = SBX_TAINT_UNKNOWN};
        return;
    }
    if (j->walk_depth >= SBX_WALK_DEPTH) {
        j->limit_hit = true;
        return;
    }
    j->walk_depth++;
    struct sbx_region region = sbx_region_begin(j);
    struct reading reading = {script->source, j->alias.serial};
    for (const struct sbx_pipeline *p = script->pipelines; p && j->steps <= SBX_JUDGE_STEPS;
         p = next_pipeline(j, &reading, p)) {
        struct sbx_flow one = {0};
        bool background = p->terminator && p->terminator[0] == '&' && !p->terminator[1];
        struct sbx_apart apart;
        bool list = p->terminator && (p->terminator[0] == '|' ||
                                      (p->terminator[0] == '&' && p->terminator[1] == '&'));
        if (background)
            sbx_apart_begin(j, &apart);
        j->background += background;
        j->checked += list;
        walk_pipeline(j, p, in, &one);
        j->checked -= list;
        j->background -= background;
        if (background)
            sbx_apart_end(j, &apart);
        sbx_flow_join(j, &all, &one);
        /* What stands behind && and || may not run; it ends with the list. */
        if (list && j->cond_depth == cond)
            region = sbx_region_begin(j);
        bool ends = !list && j->cond_depth > cond;
        j->cond_depth = list ? cond + 1 : cond;
        if (ends)
            sbx_region_end(j, &region);
    }
    j->walk_depth--;
    j->cond_depth = cond;
    if (out)
        *out = all;
}
