/* Ask rules for the tools Read and Edit: they hold for what commands read and write as well. */
#include "policy/path.h"
#include "policy/place.h"
#include "policy/rule.h"

static bool is_reading(enum sbx_access access)
{
    return access == SBX_ACCESS_READ || access == SBX_ACCESS_LIST ||
           access == SBX_ACCESS_READ_TREE || access == SBX_ACCESS_LIST_TREE;
}

/* Has a human opened the very place? */
static bool is_granted(const struct sbx_judge *j, const struct sbx_place *place,
                       enum sbx_access access)
{
    enum sbx_path_op operation = is_reading(access) ? SBX_OP_READ : SBX_OP_WRITE;
    struct sbx_path_decision d = sbx_path_decide(j->policy, place->text, operation);
    return d.allowed && d.rule && d.rule->origin.scope == SBX_SCOPE_GRANT;
}

/* A pattern as operand meets a rule where something could match both. */
static bool is_met(const struct sbx_judge *j, const struct sbx_place *place,
                   const struct sbx_rule *rule)
{
    char met[SBX_PATH_BYTES];
    if (!place->has_glob)
        return sbx_rule_matches_path(j->policy, rule, place->text);
    return rule->form == SBX_FORM_ANY ||
           sbx_place_meets(place, sbx_policy_text(j->policy, rule->content), met, sizeof(met));
}

void sbx_place_ask(struct sbx_judge *j, const struct sbx_place *place, enum sbx_access access)
{
    uint32_t count = 0;
    const struct sbx_rule *rules = sbx_policy_rules(j->policy, &count);
    enum sbx_tool tool = is_reading(access) ? SBX_TOOL_READ : SBX_TOOL_EDIT;
    if (!j->asks_bite || place->adrift || place->has_unknown || access == SBX_ACCESS_EXECUTE)
        return;
    for (uint32_t i = 0; i < count; i++) {
        const struct sbx_rule *rule = &rules[i];
        if (rule->action != SBX_RULE_ASK || rule->tool != tool || !is_met(j, place, rule))
            continue;
        if (!place->has_glob && is_granted(j, place, access))
            return;
        sbx_find_path(j, (struct sbx_finding){.verdict = SBX_ASK,
                                              .what = "path rule",
                                              .reason = "this path needs approval by policy",
                                              .origin = &rule->origin,
                                              .by = SBX_BY_RULE,
                                              .path = place->text,
                                              .rule = sbx_policy_text(j->policy, rule->text)});
    }
}
