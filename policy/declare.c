/* Assignments in front of a command, and those among the words of declare and its kin. */
#include "policy/classify.h"

#include <string.h>

static bool takes_assignments(const struct sbx_value *name)
{
    static const char *const names[] = {"export", "declare",  "typeset",
                                        "local",  "readonly", "eval"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (sbx_value_is(name, names[i]))
            return true;
    return false;
}

static void apply_assignments(struct sbx_judge *j, const struct sbx_assign *assign, bool declares)
{
    for (; assign; assign = assign->next) {
        (declares ? sbx_assign_declared : sbx_assign)(j, assign);
        struct sbx_var *var = sbx_var_find(j, assign->name, assign->name_len);
        for (const struct sbx_value *v = var ? var->values.first : NULL; v; v = v->next)
            sbx_classify_env(j, assign->name, assign->name_len, v);
    }
}

/* What the names of `A=1 cmd` are outside, the last first. */
struct sbx_passing {
    struct sbx_passing *next;
    const struct sbx_assign *assign;
    const struct sbx_var *var;
};

static struct sbx_passing *keep_assigned(struct sbx_judge *j, const struct sbx_assign *assign)
{
    struct sbx_passing *all = NULL;
    for (; assign; assign = assign->next) {
        struct sbx_passing *one = sbx_arena_alloc(&j->arena, sizeof(*one));
        if (!one) {
            j->no_memory = true;
            break;
        }
        *one = (struct sbx_passing){all, assign, sbx_var_find(j, assign->name, assign->name_len)};
        all = one;
    }
    return all;
}

/* local x=1, and declare in a function without -g: gone when it ends. */
static void declare_local(struct sbx_judge *j, const struct sbx_argv *argv,
                          const struct sbx_assign *assign)
{
    bool local = j->call_depth > 0 && !sbx_value_is(argv->word[0], "export") &&
                 !sbx_value_is(argv->word[0], "readonly") && !sbx_value_is(argv->word[0], "eval");
    for (uint32_t i = 1; local && i < argv->count; i++)
        local = argv->word[i]->text[0] != '-' || !strchr(argv->word[i]->text, 'g');
    if (!local)
        return;
    for (; assign; assign = assign->next)
        sbx_var_local(j, assign->name, assign->name_len, true);
    for (uint32_t i = 1; i < argv->count; i++)
        if (argv->word[i]->text[0] != '-' && !memchr(argv->word[i]->text, '=', argv->word[i]->len))
            sbx_var_local(j, argv->word[i]->text, argv->word[i]->len, false);
}

/* declare -i n='a[$(cmd)]' evaluates it. */
static void find_code(struct sbx_judge *j, const struct sbx_assign *assign)
{
    const struct sbx_var *var = sbx_var_find(j, assign->name, assign->name_len);
    for (const struct sbx_value *v = var ? var->values.first : NULL; v; v = v->next)
        if (sbx_value_holds_code(v))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION,
                     "code in a value that arithmetic evaluates",
                     "write the command itself instead of hiding it in a value");
}

/* declare -n, declare -i: of the names behind it. */
static void mark_declared(struct sbx_judge *j, const struct sbx_argv *argv,
                          const struct sbx_assign *assigns)
{
    for (uint32_t i = 1; i < argv->count; i++) {
        const char *word = argv->word[i]->text;
        bool reference = word[0] == '-' && strchr(word, 'n');
        bool integer = word[0] == '-' && strchr(word, 'i');
        for (const struct sbx_assign *a = assigns; a && integer; a = a->next)
            find_code(j, a);
        for (const struct sbx_assign *a = assigns; a && (reference || integer); a = a->next)
            sbx_var_mark(j, a->name, a->name_len, reference, integer);
        for (uint32_t k = i + 1; k < argv->count && (reference || integer); k++)
            sbx_var_mark(j, argv->word[k]->text, argv->word[k]->len, reference, integer);
    }
}

struct sbx_passing *sbx_assigns_enter(struct sbx_judge *j, const struct sbx_argv *argv,
                                      const struct sbx_assign *assigns)
{
    bool declares = argv->count && takes_assignments(argv->word[0]);
    struct sbx_passing *old = argv->count && !declares ? keep_assigned(j, assigns) : NULL;
    if (declares)
        declare_local(j, argv, assigns);
    /* Outside of a function local fails. */
    const struct sbx_region region = sbx_region_begin(j);
    bool fails = declares && sbx_value_is(argv->word[0], "local") && !j->call_depth;
    j->cond_depth += fails;
    apply_assignments(j, assigns, declares);
    j->cond_depth -= fails;
    if (fails)
        sbx_region_end(j, &region);
    if (declares)
        mark_declared(j, argv, assigns);
    return old;
}

/* What the command itself sets (read, export) stays. */
void sbx_assigns_leave(struct sbx_judge *j, const struct sbx_passing *old)
{
    for (; old; old = old->next)
        sbx_var_restore(j, old->assign->name, old->assign->name_len, old->var);
}
