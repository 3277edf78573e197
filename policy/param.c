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

static void add_unknown(struct sbx_judge *j, struct sbx_values *out, enum sbx_mask mask,
                        uint32_t taint)
{
    struct sbx_text text = {.arena = &j->arena};
    sbx_text_unknown(&text, mask, taint);
    sbx_values_add(out, sbx_text_value(&text, (struct sbx_span){0, 0}));
}

static struct sbx_value *copy_of(struct sbx_judge *j, const struct sbx_value *value)
{
    struct sbx_value *copy = sbx_arena_alloc(&j->arena, sizeof(*copy));
    if (!copy)
        return NULL;
    *copy = *value;
    copy->next = NULL;
    return copy;
}

static bool from_positional(struct sbx_judge *j, const struct sbx_param *param,
                            struct sbx_values *out)
{
    if (param->name_len == 1 && (param->name[0] == '@' || param->name[0] == '*')) {
        if (!j->arguments_known)
            add_unknown(j, out, SBX_MASK_UNKNOWN, SBX_TAINT_UNKNOWN | SBX_TAINT_ARGUMENT);
        if (!sbx_step(j, j->arguments.count / 16))
            add_unknown(j, out, SBX_MASK_UNKNOWN, SBX_TAINT_UNKNOWN);
        for (const struct sbx_value *v = j->arguments.first; v && !j->limit_hit; v = v->next)
            sbx_values_add(out, copy_of(j, v));
        return true;
    }
    if (!isdigit((unsigned char)param->name[0]))
        return false;
    unsigned long number = strtoul(param->name, NULL, 10);
    if (number > 9 || param->name_len > 1)
        add_unknown(j, out, SBX_MASK_UNKNOWN, SBX_TAINT_UNKNOWN);
    else if (j->positional[number])
        sbx_values_add(out, copy_of(j, j->positional[number]));
    else if (!number)
        add_text(j, out, "bash");
    else if (!j->arguments_known || !j->arguments.first)
        add_unknown(j, out, SBX_MASK_UNKNOWN,
                    SBX_TAINT_UNKNOWN |
                        (number && !j->arguments_known ? (uint32_t)SBX_TAINT_ARGUMENT : 0));
    return true;
}

/* Those that every session has. */
static bool from_session(struct sbx_judge *j, const struct sbx_param *param, struct sbx_values *out)
{
    if (named(param, "HOME"))
        add_text(j, out, j->home);
    else if (named(param, "PWD") && *j->cwd)
        add_text(j, out, j->cwd);
    else if (named(param, "USER") || named(param, "LOGNAME"))
        add_text(j, out, j->account);
    else if (named(param, "IFS"))
        add_text(j, out, " \t\n");
    else if (named(param, "SHELL") || named(param, "BASH"))
        add_text(j, out, "/bin/bash");
    else if (named(param, "PPID"))
        add_unknown(j, out, SBX_MASK_NONEMPTY, SBX_TAINT_GUARD);
    else if (param->name_len == 1 && strchr("#?$!", param->name[0]))
        add_unknown(j, out, SBX_MASK_NONEMPTY, 0);
    else if (named(param, "RANDOM") || named(param, "UID") || named(param, "EUID") ||
             named(param, "BASHPID") || named(param, "SECONDS") || named(param, "HOSTNAME") ||
             named(param, "LINENO") || named(param, "EPOCHSECONDS"))
        add_unknown(j, out, SBX_MASK_NONEMPTY, 0);
    else
        return false;
    return true;
}

/* The plain value(s). *is_set: it has one for certain; *is_list: several words. */
static struct sbx_values base_values(struct sbx_judge *j, const struct sbx_param *param,
                                     bool *is_set, bool *is_list)
{
    struct sbx_values out;
    sbx_values_init(&out);
    *is_set = true;
    struct sbx_var *var = sbx_var_find(j, param->name, param->name_len);
    for (unsigned hops = 0; var && var->is_reference && var->values.first && hops < 8; hops++)
        var = sbx_var_find(j, var->values.first->text, var->values.first->len);
    bool all = param->name_len == 1 && param->name[0] == '@';
    if (param->subscript && param->subscript->parts) {
        const struct sbx_part *part = param->subscript->parts;
        bool star = !part->next && part->text_len == 1 && part->text &&
                    (part->text[0] == '@' || part->text[0] == '*');
        if (!star)
            sbx_arith_check(j, part);
        *is_list = star && var && var->is_array;
        long at = !part->next && part->text_len && part->text_len < 6 && part->text &&
                          isdigit((unsigned char)part->text[0])
                      ? strtol(part->text, NULL, 10)
                      : -1;
        if (var && var->is_array && at >= 0) {
            struct sbx_value *v = var->values.first;
            if (!sbx_step(j, (size_t)at / 64))
                v = NULL;
            while (v && at--)
                v = v->next;
            if (v)
                sbx_values_add(&out, copy_of(j, v));
            return out;
        }
    } else if (var && var->is_array) {
        if (var->values.first)
            sbx_values_add(&out, copy_of(j, var->values.first));
        return out;
    }
    if (var && !var->is_unset) {
        if (!sbx_step(j, var->values.count / 16))
            add_unknown(j, &out, SBX_MASK_UNKNOWN, SBX_TAINT_UNKNOWN);
        for (const struct sbx_value *v = var->values.first; v && !j->limit_hit; v = v->next)
            sbx_values_add(&out, copy_of(j, v));
        return out;
    }
    if (from_positional(j, param, &out)) {
        *is_list = all || (param->name_len == 1 && param->name[0] == '*');
        *is_set = out.first != NULL;
        return out;
    }
    if (from_session(j, param, &out))
        return out;
    *is_set = false;
    if (!var)
        add_unknown(j, &out, SBX_MASK_UNKNOWN,
                    is_secret_name(param->name, param->name_len) ? SBX_TAINT_ENV : 0);
    return out;
}

static bool no_values(const struct sbx_values *values)
{
    for (const struct sbx_value *v = values->first; v; v = v->next)
        if (v->len)
            return false;
    return true;
}

/* ${x:-word} and its kin. True where op is one of them. */
static bool apply_default(struct sbx_judge *j, const struct sbx_param *param, bool is_set,
                          struct sbx_values *values)
{
    const char *op = param->op[0] == ':' && param->op[1] ? param->op + 1 : param->op;
    if (!*op || op[1] || !strchr("-=?+", *op))
        return false;
    struct sbx_value *word =
        param->arg ? sbx_expand_one(j, param->arg) : sbx_value_new(&j->arena, "", 0);
    if (!word)
        return true;
    bool empty = no_values(values), unknown = !is_set && !empty;
    switch (*op) {
    case '?':
        for (struct sbx_value *v = values->first; v; v = v->next)
            v->guarded = true;
        break;
    case '+':
        if (is_set && !(empty && op != param->op)) {
            sbx_values_init(values);
            sbx_values_add(values, word);
        } else if (unknown) {
            word->unsure = true;
            sbx_values_add(values, word);
        }
        break;
    default:
        if (is_set && !(empty && op != param->op))
            break;
        /* Not assigned in this input: the default counts, the environment might override it. */
        word->unsure = unknown;
        sbx_values_init(values);
        sbx_values_add(values, word);
        if (*op == '=')
            sbx_var_set(j, param->name, param->name_len, word);
    }
    return true;
}

static void strip_affix(struct sbx_value *v, const char *pattern, bool front, bool longest)
{
    char buffer[1024];
    if (v->len >= sizeof(buffer))
        return;
    uint32_t best = UINT32_MAX;
    for (uint32_t cut = 0; cut <= v->len; cut++) {
        const char *from = front ? v->text : v->text + v->len - cut;
        memcpy(buffer, from, cut);
        buffer[cut] = 0;
        if (!fnmatch(pattern, buffer, 0)) {
            best = cut;
            if (!longest)
                break;
        }
    }
    if (best == UINT32_MAX)
        return;
    if (front)
        v->text += best;
    v->len -= best;
}

static struct sbx_value *replace(struct sbx_judge *j, const struct sbx_value *v, const char *from,
                                 const struct sbx_value *to, const char *op)
{
    size_t from_len = strlen(from);
    struct sbx_text text = {.arena = &j->arena, .taint = v->taint, .unsure = v->unsure};
    bool all = !strcmp(op, "//"), done = !from_len || strpbrk(from, "*?[");
    if (done && from_len)
        return NULL; /* a pattern: not worked out */
    for (uint32_t i = 0; i < v->len;) {
        bool place = !strcmp(op, "/#") ? i == 0 : !strcmp(op, "/%") ? i + from_len == v->len : true;
        if (!done && place && v->len - i >= from_len && !memcmp(v->text + i, from, from_len)) {
            sbx_text_append(&text, to);
            i += (uint32_t)from_len;
            done = !all;
        } else {
            sbx_text_put(&text, v->text + i, 1, SBX_MASK_LITERAL);
            i++;
        }
    }
    return sbx_text_value(&text, v->span);
}

static void change_case(struct sbx_judge *j, struct sbx_value *v, const char *op)
{
    char *copy = sbx_arena_strndup(&j->arena, v->text, v->len);
    if (!copy)
        return;
    bool all = op[0] && op[1];
    for (uint32_t i = 0; i < v->len && (all || !i); i++)
        copy[i] = (char)(op[0] == '^' ? toupper((unsigned char)copy[i])
                                      : tolower((unsigned char)copy[i]));
    v->text = copy;
}

static bool slice(struct sbx_judge *j, const struct sbx_param *param, struct sbx_value *v)
{
    long range[2] = {0, (long)v->len};
    const struct sbx_word *words[2] = {param->arg, param->arg2};
    for (int i = 0; i < 2 && words[i]; i++) {
        struct sbx_value *number = sbx_expand_one(j, words[i]);
        char *end = NULL;
        if (!sbx_value_known(number))
            return false;
        range[i] = strtol(number->text, &end, 10);
        while (*end == ' ')
            end++;
        if (*end)
            return false;
    }
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

/* One value through one operator; NULL where the result is not known. */
static struct sbx_value *apply_op(struct sbx_judge *j, const struct sbx_param *param,
                                  const struct sbx_value *value)
{
    const char *op = param->op;
    struct sbx_value *v = copy_of(j, value);
    if (!v || !sbx_value_known(v) || !sbx_step(j, v->len / 64))
        return NULL;
    struct sbx_value *arg = param->arg && *op != ':' ? sbx_expand_one(j, param->arg) : NULL;
    switch (*op) {
    case '#':
    case '%':
        if (!arg || sbx_value_has(arg, SBX_MASK_UNKNOWN) || sbx_value_has(arg, SBX_MASK_NONEMPTY))
            return NULL;
        if (!sbx_step(j, (size_t)v->len * (v->len < 1024 ? v->len : 1) / 4096))
            return NULL;
        strip_affix(v, arg->text, *op == '#', op[1] != 0);
        break;
    case '/': {
        struct sbx_value *to =
            param->arg2 ? sbx_expand_one(j, param->arg2) : sbx_value_new(&j->arena, "", 0);
        if (!arg || !to || !sbx_value_known(arg))
            return NULL;
        return replace(j, v, arg->text, to, op);
    }
    case ':':
        return slice(j, param, v) ? v : NULL;
    case '^':
    case ',':
        change_case(j, v, op);
        break;
    case '@':
        if (arg && arg->len && strchr("ULu", arg->text[0]))
            change_case(j, v, arg->text[0] == 'U' ? "^^" : arg->text[0] == 'L' ? ",," : "^");
        else if (!arg || !arg->len || !strchr("QEAKak", arg->text[0]))
            return NULL;
        break;
    default:
        return v;
    }
    char *text = sbx_arena_strndup(&j->arena, v->text, v->len);
    if (text)
        v->text = text;
    return v;
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
static struct sbx_values indirect(struct sbx_judge *j, const struct sbx_param *param, bool *is_set,
                                  bool *is_list)
{
    struct sbx_values names = base_values(j, param, is_set, is_list), out;
    if (!*is_list && names.count == 1 && sbx_value_known(names.first) && names.first->len) {
        struct sbx_param target = {
            .name = names.first->text, .name_len = names.first->len, .op = ""};
        return base_values(j, &target, is_set, is_list);
    }
    sbx_values_init(&out);
    *is_list = false;
    add_unknown(j, &out, SBX_MASK_UNKNOWN, SBX_TAINT_UNKNOWN);
    return out;
}

struct sbx_values sbx_param_values(struct sbx_judge *j, const struct sbx_param *param, bool quoted,
                                   bool *is_list)
{
    bool is_set = false;
    struct sbx_values out;
    sbx_values_init(&out);
    (void)quoted;
    if (param->length || param->prefix_list) {
        if (param->subscript && param->length)
            sbx_arith_check(j, param->subscript->parts);
        add_unknown(j, &out, SBX_MASK_NONEMPTY, 0);
        return out;
    }
    struct sbx_values values = param->indirect ? indirect(j, param, &is_set, is_list)
                                               : base_values(j, param, &is_set, is_list);
    if (!param->op || !*param->op || apply_default(j, param, is_set, &values))
        return values;
    find_prompt_code(j, param, &values);
    /* Substitutions in the operands run whatever the value is: they are judged once for certain. */
    if (param->arg)
        (void)sbx_expand_one(j, param->arg);
    if (param->arg2)
        (void)sbx_expand_one(j, param->arg2);
    bool elements = *is_list && param->op[0] == ':';
    for (const struct sbx_value *v = values.first; v; v = v->next) {
        struct sbx_value *changed = elements ? NULL : apply_op(j, param, v);
        if (changed)
            sbx_values_add(&out, changed);
        else
            add_unknown(j, &out, SBX_MASK_UNKNOWN, v->taint);
    }
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
    if (hidden)
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "code in a value that arithmetic evaluates",
                 "write the command itself instead of hiding it in a value");
}
