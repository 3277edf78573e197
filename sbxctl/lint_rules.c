#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/command.h"
#include "policy/rule.h"
#include "policy/table.h"
#include "sbxctl/lint.h"
#include "sbxctl/sbxctl.h"

#define PLACE_BYTES 512

static const char *text_of(const struct sbx_lint *lint, const struct sbx_rule *rule)
{
    return sbx_policy_text(lint->policy, rule->text);
}

static void find_beside(struct sbx_lint *lint, const struct sbx_rule *rule,
                        const struct sbx_rule *other, const char *what)
{
    char place[PLACE_BYTES];
    sbx_policy_origin(lint->policy, &other->origin, place, sizeof(place));
    sbx_lint_find(lint, &rule->origin, "%s %s %s (%s)", text_of(lint, rule), what,
                  text_of(lint, other), place);
}

/* --- what lets anything run --------------------------------------------------------------------------- */
/* Their words are a command, which their checks take apart. */
static bool runs_operands(const struct sbx_command_row *row)
{
    return (row->flags & (SBX_CMD_WRAPPER | SBX_CMD_SHELL)) || row->check == sbx_check_env ||
           row->check == sbx_check_xargs || row->check == sbx_check_exec ||
           row->check == sbx_check_command || row->check == sbx_check_eval ||
           row->check == sbx_check_busybox;
}

/* A role of the command table that means code or another program. */
static bool runs_code(const struct sbx_command_row *row)
{
    for (const char *at = row->options; (at = strpbrk(at, "=?")); at++)
        if (strchr("cCxk", at[1]))
            return true;
    return strpbrk(row->operands, "cCxk") != NULL;
}

/* The row of the words that the rule spells out: of a subcommand where it names one. */
static const struct sbx_command_row *row_of(const char *content, size_t *len)
{
    static const char ends[] = {SBX_WORD_JOIN, SBX_WORD_STAR, SBX_WORD_UNKNOWN, '\0'};
    *len = strcspn(content, ends);
    const struct sbx_command_row *row = sbx_command_find(content, *len);
    if (!row || !(row->flags & SBX_CMD_SUB) || content[*len] != SBX_WORD_JOIN)
        return row;
    const char *word = content + *len + 1;
    const struct sbx_command_row *sub = sbx_command_sub(content, *len, word, strcspn(word, ends));
    return sub ? sub : row;
}

static void find_wide_rule(struct sbx_lint *lint, const struct sbx_rule *rule)
{
    const char *content = sbx_policy_text(lint->policy, rule->content);
    size_t len = 0;
    if (rule->action != SBX_RULE_ALLOW || rule->form == SBX_FORM_EXACT)
        return;
    if (rule->form == SBX_FORM_ANY || content[0] == SBX_WORD_STAR) {
        sbx_lint_find(lint, &rule->origin, "%s allows whatever that tool can do",
                      text_of(lint, rule));
        return;
    }
    if (rule->tool != SBX_TOOL_BASH)
        return;
    const struct sbx_command_row *row = row_of(content, &len);
    if (row && runs_operands(row))
        sbx_lint_find(lint, &rule->origin, "%s allows any program: %.*s runs what it is given",
                      text_of(lint, rule), (int)len, content);
    else if (row && runs_code(row))
        sbx_lint_find(lint, &rule->origin,
                      "%s allows any code: %.*s has words that are code or a program",
                      text_of(lint, rule), (int)len, content);
}

/* --- what says nothing --------------------------------------------------------------------------------- */
static int by_meaning(const void *a, const void *b, void *data)
{
    const struct sbx_policy *policy = data;
    const struct sbx_rule *const *first = a, *const *second = b;
    int order = (*first)->action - (*second)->action;
    if (!order)
        order = (*first)->tool - (*second)->tool;
    if (!order)
        order = (*first)->form - (*second)->form;
    if (!order)
        order = strcmp(sbx_policy_text(policy, (*first)->content),
                       sbx_policy_text(policy, (*second)->content));
    return order;
}

static int find_duplicates(struct sbx_lint *lint, const struct sbx_rule *rules, uint32_t count)
{
    _cleanup_free_ const struct sbx_rule **sorted = calloc((size_t)count + 1, sizeof(*sorted));
    if (!sorted)
        return sbx_usage("out of memory");
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &rules[i];
    qsort_r(sorted, count, sizeof(*sorted), by_meaning, (void *)(uintptr_t)lint->policy);
    for (uint32_t i = 1; i < count; i++)
        if (!by_meaning(&sorted[i - 1], &sorted[i], (void *)(uintptr_t)lint->policy)) {
            bool is_later = sorted[i] > sorted[i - 1];
            find_beside(lint, sorted[is_later ? i : i - 1], sorted[is_later ? i - 1 : i],
                        "says the same as");
        }
    return 0;
}

/* Does `wider` match whatever a rule of these words and this form does? */
static bool covers(const struct sbx_rule *wider, const struct sbx_rule *rule, const char *content)
{
    size_t len = strlen(content);
    if (rule->form == SBX_FORM_EXACT)
        return true;
    return wider->form == SBX_FORM_ANY || wider->form == SBX_FORM_PREFIX ||
           (wider->form == SBX_FORM_WILDCARD && len && content[len - 1] == SBX_WORD_STAR);
}

/* A rule whose every command another one decides already: a stricter one, or a wider one alike. */
static void find_shadow(struct sbx_lint *lint, const struct sbx_rule *rule)
{
    const char *content = sbx_policy_text(lint->policy, rule->content);
    if (rule->tool != SBX_TOOL_BASH ||
        (rule->form != SBX_FORM_EXACT && rule->form != SBX_FORM_PREFIX))
        return;
    const struct sbx_words words = {.text = content, .len = rule->content.len, .is_certain = true};
    for (int action = SBX_RULE_DENY; action >= (int)rule->action; action--) {
        const struct sbx_rule *other =
            sbx_rules_find(lint->policy, (enum sbx_rule_action)action, &words);
        if (!other || other == rule ||
            !covers(other, rule, sbx_policy_text(lint->policy, other->content)))
            continue;
        if (action == (int)rule->action && other->form == rule->form &&
            !strcmp(content, sbx_policy_text(lint->policy, other->content)))
            continue; /* a duplicate, told as such */
        find_beside(lint, rule, other,
                    action == SBX_RULE_DENY && rule->action != SBX_RULE_DENY
                        ? "never decides: what it names is denied by"
                    : action != (int)rule->action ? "decides nothing by itself: asked by"
                                                  : "adds nothing to");
        return;
    }
}

int sbx_lint_rules(struct sbx_lint *lint)
{
    uint32_t count = 0;
    const struct sbx_rule *rules = sbx_policy_rules(lint->policy, &count);
    for (uint32_t i = 0; i < count; i++) {
        const char *doubt = sbx_rule_doubt(text_of(lint, &rules[i]));
        if (doubt)
            sbx_lint_find(lint, &rules[i].origin, "%s: %s", text_of(lint, &rules[i]), doubt);
        find_wide_rule(lint, &rules[i]);
        find_shadow(lint, &rules[i]);
    }
    return find_duplicates(lint, rules, count);
}
