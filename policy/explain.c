#include "policy/explain.h"

#include "policy/judge_state.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 64

static char *shown(const struct sbx_value *value)
{
    char *text = malloc((size_t)value->len + 1);
    for (uint32_t i = 0; text && i < value->len; i++)
        text[i] = sbx_mask_unknown(sbx_value_mask(value, i)) ? '?' : value->text[i];
    if (text)
        text[value->len] = 0;
    return text;
}

static void tell_command(void *data, const struct sbx_use *use, unsigned depth)
{
    const struct sbx_teller *teller = data;
    char *words[WORDS_MAX];
    uint32_t count = 0;
    for (; count < use->words && count < WORDS_MAX; count++)
        if (!(words[count] = shown(use->word[count])))
            break;
    const char *slash = count ? strrchr(words[0], '/') : NULL;
    const struct sbx_told_command told = {
        .word = (const char *const *)words,
        .words = count,
        .depth = depth ? depth - 1 : 0,
        .entry = use->row ? use->row->names : NULL,
        .instead = count ? sbx_command_instead(slash ? slash + 1 : words[0]) : NULL,
        .is_readonly = use->row && (use->row->flags & SBX_CMD_READONLY)};
    teller->command(teller->data, &told);
    while (count)
        free(words[--count]);
}

static void tell_path(void *data, const char *path, enum sbx_path_op op,
                      const struct sbx_path_decision *decision, const struct sbx_policy *policy)
{
    static const char *const operations[] = {"read", "write", "delete", "execute"};
    const struct sbx_teller *teller = data;
    char origin[256] = "";
    const struct sbx_path_rule *rule = decision->rule;
    if (rule)
        sbx_policy_origin(policy, &rule->origin, origin, sizeof(origin));
    const struct sbx_told_path told = {
        .path = path,
        .operation = operations[op],
        .decision = decision->allowed     ? "allowed"
                    : decision->grantable ? "may be granted"
                                          : "refused",
        .rule = rule ? sbx_policy_text(policy, rule->path) : "",
        .origin = origin,
    };
    teller->path(teller->data, &told);
}

static void tell_finding(void *data, const struct sbx_finding *finding)
{
    const struct sbx_teller *teller = data;
    const struct sbx_told_finding told = {.verdict = finding->verdict,
                                          .class = finding->class,
                                          .what = finding->rule && *finding->rule ? finding->rule
                                                                                  : finding->what,
                                          .reason = finding->reason,
                                          .path = finding->path ? finding->path : ""};
    teller->finding(teller->data, &told);
}

void sbx_judge_explained(const struct sbx_context *context, const char *text, size_t len,
                         const struct sbx_teller *teller, struct sbx_verdict *out)
{
    /* The callbacks get the teller itself; it is only read. */
    union {
        const void *in;
        void *out;
    } data = {.in = teller};
    const struct sbx_trace trace = {
        .command = tell_command, .path = tell_path, .finding = tell_finding, .data = data.out};
    sbx_judge_traced(context, text, len, &trace, out);
}
