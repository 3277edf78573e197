/* ${...}: what a parameter expansion gives. */
#include "policy/judge_state.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool named(const struct sbx_param *param, const char *name)
{
    return param->name_len == strlen(name) && !memcmp(param->name, name, param->name_len);
}

/* A variable whose name says that it holds a secret. */
static bool is_secret_name(const char *name, size_t len)
{
    static const char *const marks[] = {"TOKEN",       "SECRET",     "PASSWORD",
                                        "PASSWD",      "API_KEY",    "APIKEY",
                                        "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL"};
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
        if (len >= strlen(marks[i]) && memmem(name, len, marks[i], strlen(marks[i])))
            return true;
    return false;
}

static void add_text(struct sbx_judge *j, struct sbx_values *out, const char *text)
{
    sbx_values_add(out, sbx_value_new(&j->arena, text, strlen(text)));
}

void sbx_values_unknown(struct sbx_judge *j, struct sbx_values *out, enum sbx_mask mask,
                        uint32_t taint)
{
    struct sbx_text text = {.arena = &j->arena};
    sbx_text_unknown(&text, mask, taint);
    sbx_values_add(out, sbx_text_value(&text, (struct sbx_span){0, 0}));
}

static void add_several(struct sbx_judge *j, struct sbx_values *out, uint32_t taint)
{
    struct sbx_value *value = sbx_value_unknown(&j->arena, taint);
    if (value)
        value->several = true;
    sbx_values_add(out, value);
}

struct sbx_value *sbx_value_copy(struct sbx_judge *j, const struct sbx_value *value)
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

static bool from_positional(struct sbx_judge *j, const struct sbx_param *param,
                            struct sbx_values *out)
{
    uint32_t taint = SBX_TAINT_UNKNOWN | (j->arguments_of_call ? (uint32_t)SBX_TAINT_ARGUMENT : 0);
    if (param->name_len == 1 && (param->name[0] == '@' || param->name[0] == '*')) {
        if (!j->arguments_known)
            add_several(j, out, taint);
        if (!sbx_step(j, j->arguments.count / 16))
            add_several(j, out, SBX_TAINT_UNKNOWN);
        for (const struct sbx_value *v = j->arguments.first; v && !j->limit_hit; v = v->next)
            sbx_values_add(out, sbx_value_copy(j, v));
        return true;
    }
    if (!isdigit((unsigned char)param->name[0]))
        return false;
    unsigned long number = strtoul(param->name, NULL, 10);
    bool ends = j->arguments_known && !j->arguments_loose && j->arguments.count &&
                number > j->arguments.count;
    if (number <= 9 && param->name_len == 1 && j->positional[number]) {
        sbx_values_add(out, sbx_value_copy(j, j->positional[number]));
        if (number && j->arguments_maybe)
            sbx_values_unknown(j, out, SBX_MASK_UNKNOWN, taint);
        for (struct sbx_value *v = out->first; v && v->next; v = v->next)
            v->unsure = v->next->unsure = true;
    } else if (!number) {
        add_text(j, out, "bash");
        if (out->first)
            out->first->unsure = true;
    } else if (!ends) {
        /* One of them, or part of one. */
        for (const struct sbx_value *v = j->arguments.first; v; v = v->next) {
            taint |= v->taint;
            sbx_values_add(out, sbx_value_copy(j, v));
        }
        sbx_values_unknown(j, out, SBX_MASK_UNKNOWN, taint);
        for (struct sbx_value *v = out->first; v && v->next; v = v->next)
            v->unsure = v->next->unsure = true;
    }
    return true;
}

/* Those that bash itself changes, whatever was assigned. */
static bool is_dynamic(const struct sbx_param *param)
{
    static const char *const names[] = {
        "RANDOM",        "SRANDOM",    "SECONDS",     "LINENO",       "BASHPID", "EPOCHSECONDS",
        "EPOCHREALTIME", "FUNCNAME",   "BASH_SOURCE", "BASH_COMMAND", "HISTCMD", "BASH_ARGC",
        "BASH_REMATCH",  "PIPESTATUS", "DIRSTACK",    "OPTIND",       "OPTARG",  "BASH_SUBSHELL"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (named(param, names[i]))
            return true;
    return false;
}

static void add_directory(struct sbx_judge *j, struct sbx_values *out)
{
    add_text(j, out, j->cwd);
    if (!j->cwd_maybe || !out->first)
        return;
    /* A cd that nobody checked: it may have failed. */
    sbx_values_unknown(j, out, SBX_MASK_NONEMPTY, 0);
    for (struct sbx_value *v = out->first; v; v = v->next)
        v->unsure = true;
}

/* Those that every session has. */
static bool from_session(struct sbx_judge *j, const struct sbx_param *param, struct sbx_values *out)
{
    if (named(param, "HOME"))
        add_text(j, out, j->home);
    else if (named(param, "PWD") && *j->cwd)
        add_directory(j, out);
    else if (named(param, "USER") || named(param, "LOGNAME"))
        add_text(j, out, j->account);
    else if (named(param, "IFS"))
        add_text(j, out, " \t\n");
    else if (named(param, "SHELL") || named(param, "BASH"))
        add_text(j, out, "/bin/bash");
    else if (named(param, "PPID"))
        sbx_values_unknown(j, out, SBX_MASK_NONEMPTY, SBX_TAINT_GUARD);
    else if (param->name_len == 1 && strchr("#?$!", param->name[0]))
        sbx_values_unknown(j, out, SBX_MASK_NONEMPTY, 0);
    else if (named(param, "UID") || named(param, "EUID") || named(param, "HOSTNAME"))
        sbx_values_unknown(j, out, SBX_MASK_NONEMPTY, 0);
    else
        return false;
    return true;
}

/* Whether it has a value at all, as far as that is certain. UNBOUND: the input does not say. */
enum presence { UNSET, UNBOUND, MAYBE, SET };

static const struct sbx_var *var_of(struct sbx_judge *j, const struct sbx_param *param)
{
    const struct sbx_var *var = sbx_var_find(j, param->name, param->name_len);
    for (unsigned hops = 0; var && var->is_reference && var->values.first && hops < 8; hops++)
        var = sbx_var_find(j, var->values.first->text, var->values.first->len);
    return var;
}

/* The number in ${a[number]}, or -1. */
static long subscript_number(struct sbx_judge *j, const struct sbx_word *subscript)
{
    const struct sbx_value *value = sbx_expand_one(j, subscript);
    bool plain = sbx_value_known(value) && !value->unsure && value->len && value->len < 6 &&
                 strspn(value->text, "0123456789") == value->len &&
                 (value->text[0] != '0' || value->len == 1);
    return plain ? strtol(value->text, NULL, 10) : -1;
}

/* One element; all of them where it is not certain which. */
static enum presence element(struct sbx_judge *j, const struct sbx_var *var, long at,
                             struct sbx_values *out)
{
    bool certain = !var->is_loose && !var->maybe_unset && at >= 0;
    if (!sbx_step(j, var->values.count / 16)) {
        sbx_values_unknown(j, out, SBX_MASK_UNKNOWN, SBX_TAINT_UNKNOWN);
        return MAYBE;
    }
    const struct sbx_value *v = var->values.first;
    for (long i = 0; certain && v && i <= at; i++) {
        certain = !v->unsure && !v->several && !sbx_value_has(v, SBX_MASK_GLOB) &&
                  (sbx_value_known(v) || v->quoted);
        if (i < at)
            v = v->next;
    }
    if (certain) {
        if (v)
            sbx_values_add(out, sbx_value_copy(j, v));
        return v ? SET : UNSET;
    }
    for (v = var->values.first; v; v = v->next)
        sbx_values_add(out, sbx_value_copy(j, v));
    if (out->first)
        sbx_values_add(out, sbx_value_new(&j->arena, "", 0));
    for (struct sbx_value *o = out->first; o; o = o->next)
        o->unsure = true;
    return out->first ? MAYBE : UNSET;
}

static enum presence from_array(struct sbx_judge *j, const struct sbx_param *param,
                                const struct sbx_var *var, struct sbx_param_values *out)
{
    const struct sbx_part *part = param->subscript ? param->subscript->parts : NULL;
    bool all = part && !part->next && part->text && part->text_len == 1 &&
               (part->text[0] == '@' || part->text[0] == '*');
    if (param->subscript && !all)
        sbx_arith_check(j, part);
    if (!var) {
        uint32_t taint = is_secret_name(param->name, param->name_len) ? SBX_TAINT_ENV : 0;
        out->is_list = all;
        out->is_star = all && part->text[0] == '*';
        add_several(j, &out->values, taint);
        return UNBOUND;
    }
    if (!all)
        return element(j, var, param->subscript ? subscript_number(j, param->subscript) : 0,
                       &out->values);
    out->is_list = true;
    out->is_star = part->text[0] == '*';
    if (!sbx_step(j, var->values.count / 16)) {
        add_several(j, &out->values, SBX_TAINT_UNKNOWN);
        return MAYBE;
    }
    for (const struct sbx_value *v = var->values.first; v; v = v->next)
        sbx_values_add(&out->values, sbx_value_copy(j, v));
    return var->is_loose || var->maybe_unset ? MAYBE : out->values.first ? SET : UNSET;
}

static enum presence from_var(struct sbx_judge *j, const struct sbx_var *var,
                              struct sbx_values *out)
{
    for (const struct sbx_value *v = var->values.first; v; v = v->next)
        sbx_values_add(out, sbx_value_copy(j, v));
    if (!var->maybe_unset)
        return SET;
    sbx_values_add(out, sbx_value_new(&j->arena, "", 0));
    for (struct sbx_value *v = out->first; v; v = v->next)
        v->unsure = true;
    return MAYBE;
}

/* The plain value(s). */
static enum presence base_values(struct sbx_judge *j, const struct sbx_param *param,
                                 struct sbx_param_values *out)
{
    struct sbx_values *values = &out->values;
    sbx_values_init(values);
    out->is_list = out->is_star = false;
    if (is_dynamic(param)) {
        sbx_values_unknown(j, values, SBX_MASK_UNKNOWN, 0);
        values->first->several = param->subscript != NULL;
        return MAYBE;
    }
    const struct sbx_var *var = var_of(j, param);
    if (var && var->is_unset) {
        const struct sbx_part *part = param->subscript ? param->subscript->parts : NULL;
        out->is_list = part && part->text_len == 1 && (*part->text == '@' || *part->text == '*');
        return UNSET;
    }
    if (param->subscript || (var && var->is_array))
        return from_array(j, param, var, out);
    if (var)
        return from_var(j, var, values);
    if (from_positional(j, param, values)) {
        out->is_star = param->name_len == 1 && param->name[0] == '*';
        out->is_list = out->is_star || (param->name_len == 1 && param->name[0] == '@');
        return !values->first ? UNSET : sbx_value_known(values->first) ? SET : MAYBE;
    }
    if (from_session(j, param, values))
        return SET;
    sbx_values_unknown(
        j, values, SBX_MASK_UNKNOWN,
        is_secret_name(param->name, param->name_len) ? SBX_TAINT_ENV | SBX_TAINT_PASSWORD : 0);
    return UNBOUND;
}

/* Whether the value(s) count as empty for an operator with a colon. */
static enum presence not_empty(enum presence is_set, const struct sbx_values *values)
{
    bool some = false, none = false;
    for (const struct sbx_value *v = values->first; v; v = v->next) {
        bool text = false, open = true;
        for (uint32_t i = 0; i < v->len; i++) {
            text |= sbx_value_mask(v, i) != SBX_MASK_UNKNOWN;
            open &= sbx_value_mask(v, i) == SBX_MASK_UNKNOWN;
        }
        some |= text || (open && v->len);
        none |= !text;
    }
    if (is_set == UNBOUND)
        return UNBOUND;
    if (is_set == UNSET || !some)
        return UNSET;
    return none ? MAYBE : is_set;
}

/* ${x:-word} and its kin. True where op is one of them. */
static bool apply_default(struct sbx_judge *j, const struct sbx_param *param, enum presence is_set,
                          struct sbx_param_values *out)
{
    static const struct sbx_word empty = {.parts = NULL};
    const char *op = param->op[0] == ':' && param->op[1] ? param->op + 1 : param->op;
    if (!*op || op[1] || !strchr("-=?+", *op))
        return false;
    const struct sbx_word *word = param->arg ? param->arg : &empty;
    enum presence there = op != param->op ? not_empty(is_set, &out->values) : is_set;
    switch (*op) {
    case '?':
        (void)sbx_expand_one(j, word);
        for (struct sbx_value *v = out->values.first; v; v = v->next)
            v->guarded = true;
        break;
    case '+':
        sbx_values_init(&out->values);
        out->is_list = false;
        out->word = there != UNSET ? word : NULL;
        out->word_alone = there == SET;
        out->word_unsure = there != SET;
        break;
    case '=':
        if (there == SET)
            break;
        struct sbx_value *value = sbx_expand_one(j, word);
        if (there != MAYBE)
            sbx_values_init(&out->values);
        value->unsure |= there != UNSET;
        sbx_values_add(&out->values, sbx_value_copy(j, value));
        /* Where it may have a value, that one stays possible. */
        if (!param->subscript && !out->is_list)
            sbx_var_set_list(j, param->name, param->name_len, out->values, false);
        break;
    default:
        /* Not assigned in this input: the default counts, the environment might override it. */
        out->word = there != SET ? word : NULL;
        out->word_alone = there == UNSET || there == UNBOUND;
        out->word_unsure = there != UNSET;
    }
    return true;
}

/* Prompts know octal and hexadecimal spellings of $ and ` too. */
static bool is_prompt_code(const struct sbx_value *v)
{
    return sbx_value_holds_code(v) || memmem(v->text, v->len, "\\044(", 5) ||
           memmem(v->text, v->len, "\\x24(", 5) || memmem(v->text, v->len, "\\140", 4);
}

static void find_prompt_code(struct sbx_judge *j, const struct sbx_param *param,
                             const struct sbx_values *values)
{
    const struct sbx_part *letter = param->arg ? param->arg->parts : NULL;
    if (param->op[0] != '@' || !letter || !letter->text || !letter->text_len ||
        letter->text[0] != 'P')
        return;
    for (const struct sbx_value *v = values->first; v && sbx_step(j, v->len / 256); v = v->next)
        if (is_prompt_code(v))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "code in a value expanded as a prompt",
                     "write the command itself instead of hiding it in a value");
}

/* ${!x}: the name is in x. */
static enum presence indirect(struct sbx_judge *j, const struct sbx_param *param,
                              struct sbx_param_values *out)
{
    enum presence is_set = base_values(j, param, out);
    const struct sbx_value *name = out->values.first;
    if (!out->is_list && is_set == SET && out->values.count == 1 && !name->unsure &&
        sbx_value_known(name) && name->len && !memchr(name->text, '[', name->len)) {
        struct sbx_param target = {.name = name->text, .name_len = name->len, .op = ""};
        return base_values(j, &target, out);
    }
    /* What it stands for if it has one of the known values, besides anything else. */
    struct sbx_values all;
    bool is_list = out->is_list;
    sbx_values_init(&all);
    for (name = out->values.first; name && !is_list; name = name->next) {
        struct sbx_param target = {.name = name->text, .name_len = name->len, .op = ""};
        struct sbx_param_values one = {.is_list = false};
        if (!sbx_value_known(name) || !name->len || memchr(name->text, '[', name->len))
            continue;
        (void)base_values(j, &target, &one);
        for (const struct sbx_value *v = one.values.first; v; v = v->next)
            sbx_values_add(&all, sbx_value_copy(j, v));
    }
    add_several(j, &all, SBX_TAINT_UNKNOWN);
    for (struct sbx_value *v = all.first; v && all.count > 1; v = v->next)
        v->unsure = true;
    *out = (struct sbx_param_values){.is_list = is_list};
    sbx_values_init(&out->values);
    for (const struct sbx_value *v = all.first; v; v = v->next)
        sbx_values_add(&out->values, sbx_value_copy(j, v));
    return MAYBE;
}

struct sbx_param_values sbx_param_values(struct sbx_judge *j, const struct sbx_param *param)
{
    struct sbx_param_values got = {.is_list = false}, out;
    sbx_values_init(&got.values);
    if (param->length || param->prefix_list) {
        if (param->subscript && param->length)
            sbx_arith_check(j, param->subscript->parts);
        if (param->prefix_list)
            add_several(j, &got.values, 0);
        else
            sbx_values_unknown(j, &got.values, SBX_MASK_NONEMPTY, 0);
        return got;
    }
    enum presence is_set = param->indirect ? indirect(j, param, &got) : base_values(j, param, &got);
    if (!param->op || !*param->op || apply_default(j, param, is_set, &got))
        return got;
    find_prompt_code(j, param, &got.values);
    /* Substitutions in the operands run whatever the value is: they are judged once for certain. */
    if (param->arg)
        (void)sbx_expand_one(j, param->arg);
    if (param->arg2)
        (void)sbx_expand_one(j, param->arg2);
    out = got;
    sbx_values_init(&out.values);
    uint32_t taint = 0;
    for (const struct sbx_value *v = got.values.first; v; v = v->next)
        taint |= v->taint;
    if (got.is_list && (param->op[0] == ':' || param->op[0] == '@')) {
        add_several(j, &out.values, taint); /* some of the elements */
        return out;
    }
    for (const struct sbx_value *v = got.values.first; v; v = v->next) {
        struct sbx_value *changed = sbx_param_apply(j, param, v);
        if (changed)
            sbx_values_add(&out.values, changed);
        else if (v->several)
            add_several(j, &out.values, v->taint);
        else
            sbx_values_unknown(j, &out.values, SBX_MASK_UNKNOWN, v->taint);
        if (!changed && v->unsure)
            out.unsure = true;
    }
    for (struct sbx_value *v = out.values.first; v && out.unsure; v = v->next)
        v->unsure = true;
    return out;
}

/* Arithmetic evaluates what a variable holds, subscripts and all: x='a[$(cmd)]'; $((x)) runs it. */
void sbx_arith_check(struct sbx_judge *j, const struct sbx_part *parts)
{
    struct sbx_text text = {.arena = &j->arena};
    sbx_expand_parts(j, parts, &text);
    const char *at = text.text, *end = text.text ? text.text + text.len : NULL;
    bool hidden = text.text && memmem(text.text, text.len, "$(", 2) && text.len > 3;
    while (at && at < end && !hidden) {
        if (!isalpha((unsigned char)*at) && *at != '_') {
            at++;
            continue;
        }
        const char *name = at;
        while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
            at++;
        struct sbx_var *var = sbx_var_find(j, name, (size_t)(at - name));
        for (const struct sbx_value *v = var ? var->values.first : NULL;
             v && sbx_step(j, v->len / 256); v = v->next)
            hidden = hidden || sbx_value_holds_code(v);
    }
    sbx_arith_assign(j, text.text ? text.text : "", text.len);
    if (hidden)
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "code in a value that arithmetic evaluates",
                 "write the command itself instead of hiding it in a value");
}
