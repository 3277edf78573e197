/* Compiles an allow list into a search tree over runs of numbers.
 *
 * libseccomp compares every number by itself: five times the instructions, and sbxsh pays for their
 * translation at the start of every session. Numbers still come from libseccomp. */
#include <errno.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>

#include "jail/seccomp_chunk.h"
#include "jail/seccomp_rules.h"

#define CALLS_MAX 1024 /* numbers beyond are answered by default */
#define RUNS_MAX  128  /* so that every jump fits its eight bits */
#define RULES_MAX 32
#define CODE_MAX  512
#define X32_BIT   0x40000000u

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the low half of an argument is first");

struct run {
    uint32_t first; /* up to the next run's */
    uint32_t action;
    bool has_rules;
};

struct tree {
    const struct sbx_filter_tables *tables;
    uint32_t actions[CALLS_MAX];
    bool has_rules[CALLS_MAX];
    int rule_nr[RULES_MAX]; /* the number of each rule's call; negative: not of this architecture */
    struct run runs[RUNS_MAX];
    size_t run_count;
    struct sock_filter code[CODE_MAX];
    unsigned code_count;
    bool is_overfull;
};

static int note_calls(struct tree *tree, const struct sbx_call *calls, struct sbx_err *err)
{
    for (const struct sbx_call *call = calls; call->name; call++) {
        int nr;
        if (sbx_call_number(call, &nr, err))
            return -1;
        if (nr >= CALLS_MAX)
            return sbx_fail(err, SBX_E_LIMIT, 0, "%s has the number %d", call->name, nr);
        if (nr >= 0)
            tree->actions[nr] = SCMP_ACT_ALLOW;
    }
    return 0;
}

static int note_rules(struct tree *tree, struct sbx_err *err)
{
    if (tree->tables->rule_count > RULES_MAX)
        return sbx_fail(err, SBX_E_LIMIT, 0, "more than %d rules", RULES_MAX);
    for (size_t i = 0; i < tree->tables->rule_count; i++) {
        const struct sbx_call_rule *rule = &tree->tables->rules[i];
        const struct scmp_arg_cmp *arg = &rule->args[0];
        int nr;
        if (sbx_call_number(&rule->call, &nr, err))
            return -1;
        if (nr >= CALLS_MAX || rule->is_logged || rule->arg_count != 1 || arg->arg > 5 ||
            arg->op != SCMP_CMP_MASKED_EQ || arg->datum_a != UINT32_MAX)
            return sbx_fail(err, SBX_E_UNSUPPORTED, 0, "a rule for %s is none of a tree's",
                            rule->call.name);
        tree->rule_nr[i] = nr;
        if (nr >= 0)
            tree->has_rules[nr] = true;
    }
    return 0;
}

static int note_tables(struct tree *tree, struct sbx_err *err)
{
    for (size_t i = 0; i < CALLS_MAX; i++)
        tree->actions[i] = tree->tables->default_action;
    for (size_t g = 0; g < tree->tables->group_count; g++)
        if (note_calls(tree, tree->tables->groups[g].calls, err))
            return -1;
    for (size_t g = 0; g < sbx_denied_group_count; g++)
        if (note_calls(tree, sbx_denied_groups[g].calls, err))
            return -1;
    return note_rules(tree, err);
}

static void add_run(struct tree *tree, uint32_t first, uint32_t action, bool has_rules)
{
    const struct run *last = tree->run_count ? &tree->runs[tree->run_count - 1] : NULL;
    if (last && !has_rules && !last->has_rules && last->action == action)
        return;
    if (tree->run_count == RUNS_MAX) {
        tree->is_overfull = true;
        return;
    }
    tree->runs[tree->run_count++] = (struct run){first, action, has_rules};
}

static void find_runs(struct tree *tree)
{
    for (uint32_t nr = 0; nr < CALLS_MAX; nr++)
        add_run(tree, nr, tree->actions[nr], tree->has_rules[nr]);
    add_run(tree, CALLS_MAX, tree->tables->default_action, false);
#if defined(__x86_64__)
    /* x32 numbers its calls differently; -1 is what a tracer leaves of a call it took away. */
    add_run(tree, X32_BIT, SCMP_ACT_KILL_PROCESS, false);
    add_run(tree, UINT32_MAX, tree->tables->default_action, false);
#endif
}

/* Returns where the instruction stands. */
static unsigned emit(struct tree *tree, struct sock_filter instruction)
{
    if (tree->code_count == CODE_MAX) {
        tree->is_overfull = true;
        return CODE_MAX - 1;
    }
    tree->code[tree->code_count] = instruction;
    return tree->code_count++;
}

static void emit_return(struct tree *tree, uint32_t action)
{
    (void)emit(tree, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static void emit_load(struct tree *tree, size_t offset)
{
    (void)emit(tree, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void emit_rules(struct tree *tree, const struct run *run)
{
    unsigned loaded = UINT32_MAX;
    for (size_t i = 0; i < tree->tables->rule_count; i++) {
        const struct sbx_call_rule *rule = &tree->tables->rules[i];
        const struct scmp_arg_cmp *arg = &rule->args[0];
        if (tree->rule_nr[i] < 0 || (uint32_t)tree->rule_nr[i] != run->first)
            continue;
        if (arg->arg != loaded)
            emit_load(tree,
                      offsetof(struct seccomp_data, args) + (loaded = arg->arg) * sizeof(uint64_t));
        (void)emit(tree, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                      (uint32_t)arg->datum_b, 0, 1));
        emit_return(tree, rule->action);
    }
    emit_return(tree, run->action);
}

/* The answer for the runs from low to high, both included. */
static void emit_runs(struct tree *tree, size_t low, size_t high)
{
    if (low == high) {
        if (tree->runs[low].has_rules)
            emit_rules(tree, &tree->runs[low]);
        else
            emit_return(tree, tree->runs[low].action);
        return;
    }
    size_t middle = (low + high + 1) / 2;
    unsigned at = emit(tree, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K,
                                                          tree->runs[middle].first, 0, 0));
    emit_runs(tree, low, middle - 1);
    unsigned skipped = tree->code_count - at - 1;
    if (skipped > UINT8_MAX)
        tree->is_overfull = true;
    tree->code[at].jt = (uint8_t)skipped;
    emit_runs(tree, middle, high);
}

static void emit_program(struct tree *tree)
{
    emit_load(tree, offsetof(struct seccomp_data, arch));
    (void)emit(
        tree, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, seccomp_arch_native(), 1, 0));
    emit_return(tree, SCMP_ACT_KILL_PROCESS);
    emit_load(tree, offsetof(struct seccomp_data, nr));
    emit_runs(tree, 0, tree->run_count - 1);
}

int sbx_filter_compile_tree(const struct sbx_filter_tables *tables, struct sbx_bpf *out,
                            struct sbx_err *err)
{
    struct tree tree = {.tables = tables};
    if (note_tables(&tree, err))
        return -1;
    find_runs(&tree);
    (void)emit(&tree, (struct sock_filter){0});
    emit_program(&tree);
    if (tree.is_overfull)
        return sbx_fail(err, SBX_E_LIMIT, 0, "the list has too many runs of calls for one program");
    tree.code[0] = sbx_chunk_header((unsigned short)(tree.code_count - 1), false);
    struct sock_filter *code = malloc(tree.code_count * sizeof(*code));
    if (!code)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for a filter");
    memcpy(code, tree.code, tree.code_count * sizeof(*code));
    *out = (struct sbx_bpf){.code = code, .count = (unsigned short)tree.code_count};
    return 0;
}
