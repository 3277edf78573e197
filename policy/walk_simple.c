/* A simple command of the tree: its words, assignments and redirections, and then the command itself. */
#include "policy/judge_state.h"

#include <string.h>

/* A name that is one of several: each with the words that follow. */
static void judge_names(struct sbx_judge *j, struct sbx_argv argv, uint32_t names,
                        const struct sbx_flow *in)
{
    for (uint32_t i = 0; i < names; i++) {
        struct sbx_argv one = {argv.word + names - 1, argv.count - names + 1};
        struct sbx_flow out = {0};
        if (!argv.word[i]->unsure)
            return;
        struct sbx_value *last = one.word[0];
        one.word[0] = argv.word[i];
        sbx_judge_argv(j, one, in, &out);
        one.word[0] = last;
    }
}

static bool words_of(struct sbx_judge *j, const struct sbx_command *command, struct sbx_argv *argv,
                     uint32_t *names)
{
    struct sbx_values values;
    sbx_values_init(&values);
    for (const struct sbx_word *word = command->words; word; word = word->next) {
        sbx_expand(j, word, &values);
        if (word == command->words)
            *names = values.count;
    }
    argv->count = values.count;
    argv->word = sbx_arena_alloc(&j->arena, (values.count + 1) * sizeof(*argv->word));
    if (!argv->word) {
        j->no_memory = true;
        return false;
    }
    uint32_t i = 0;
    for (struct sbx_value *v = values.first; v && i < values.count; v = v->next) {
        /* bash itself lists what a glob may match. */
        if (v->mask && sbx_value_has(v, SBX_MASK_GLOB) && memchr(v->text, '/', v->len))
            (void)sbx_check_path(j, v, SBX_ACCESS_LIST);
        argv->word[i++] = v;
    }
    return true;
}

/* What covers the command being judged. Commands inside its words and redirections, or that it calls,
 * have their own: what covers `ls` in `touch $(ls)` says nothing of touch. */
struct cover {
    bool form_ok, rule_covers, writes_output, redirects_only;
};

static struct cover cover_of(const struct sbx_judge *j)
{
    return (struct cover){j->form_ok, j->rule_covers, j->writes_output, j->redirects_only};
}

static void set_cover(struct sbx_judge *j, struct cover cover)
{
    j->form_ok = cover.form_ok;
    j->rule_covers = cover.rule_covers;
    j->writes_output = cover.writes_output;
    j->redirects_only = cover.redirects_only;
}

static void judge_words(struct sbx_judge *j, struct sbx_argv argv, uint32_t names,
                        const struct sbx_redirected *r, const struct sbx_flow *input,
                        struct sbx_flow *own)
{
    bool exec_only = sbx_value_is(argv.word[argv.count - 1], "exec");
    if (exec_only && (r->in.taint & SBX_TAINT_NET || r->out_net))
        j->exec_taint |= SBX_TAINT_NET;
    if (names > 1)
        judge_names(j, argv, names, input);
    sbx_judge_argv(j, argv, input, own);
    if (!j->form_ok && !j->regular_ask) {
        j->regular_ask = true;
        j->regular_span = j->span;
    }
    j->all_by_rule = j->all_by_rule && j->rule_covers;
}

void sbx_walk_simple(struct sbx_judge *j, const struct sbx_command *command,
                     const struct sbx_flow *in, struct sbx_flow *out)
{
    struct sbx_argv argv = {0};
    struct sbx_redirected r = {.in = in ? *in : (struct sbx_flow){0}};
    struct sbx_flow own = {0};
    const struct sbx_flow *outer = j->input;
    const struct cover cover = cover_of(j);
    j->input = in;
    uint32_t names = 0;
    if (!words_of(j, command, &argv, &names))
        return;
    if (j->trace && j->trace->words)
        j->trace->words(j->trace->data, &argv, j->guessed > 0);
    struct sbx_passing *passing = sbx_assigns_enter(j, &argv, command->assigns);
    sbx_redirs_enter(j, command->redirs, &r);
    set_cover(j, (struct cover){.writes_output = r.out_any, .redirects_only = r.out_file});
    if (argv.count) {
        judge_words(j, argv, names, &r, r.in.is_set ? &r.in : in, &own);
        sbx_assigns_leave(j, passing);
    }
    j->input = outer;
    sbx_redirs_leave(j, &r, &own, out);
    set_cover(j, cover);
}
