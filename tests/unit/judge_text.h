/* For tests of the judge: verdicts of commands in the setting of an agent in its project. Include
 * after <check.h>. */
#ifndef SBX_TESTS_JUDGE_TEXT_H
#define SBX_TESTS_JUDGE_TEXT_H

#include "policy/judge.h"
#include "policy_text.h"

#define JUDGE_POLICY                                                                               \
    "[filesystem]\nworkspace = ~/work\nallow_write = ~/work\nallow_write = /tmp\n"                 \
    "deny_read = ~/.ssh\n"

struct judged {
    enum sbx_verdict_kind verdict;
    enum sbx_class class;
    const char *text;
};

static inline struct sbx_verdict judge_with(const struct sbx_policy *policy, const char *text)
{
    const struct sbx_context context = {.policy = policy, .cwd = "/home/agent/work/proj"};
    struct sbx_verdict verdict;
    sbx_judge(&context, text, strlen(text), &verdict);
    return verdict;
}

/* Each in the table has its verdict; the class only where one is given. */
static inline void expect_all(const char *managed, const struct judged *cases, size_t count)
{
    struct sbx_policy *policy = policy_of(managed);
    for (size_t i = 0; i < count; i++) {
        struct sbx_verdict v = judge_with(policy, cases[i].text);
        ck_assert_msg(v.verdict == cases[i].verdict, "%s: %s (class %s, %s), not %s", cases[i].text,
                      sbx_verdict_name(v.verdict), sbx_class_name(v.class), v.rule,
                      sbx_verdict_name(cases[i].verdict));
        if (cases[i].class != SBX_CLASS_NONE)
            ck_assert_msg(v.class == cases[i].class, "%s: class %s, not %s", cases[i].text,
                          sbx_class_name(v.class), sbx_class_name(cases[i].class));
        ck_assert_msg(v.verdict == SBX_ALLOW || v.reason[0], "%s: no reason", cases[i].text);
    }
    free(policy);
}
#define EXPECT(cases) expect_all(JUDGE_POLICY, cases, sizeof(cases) / sizeof(*(cases)))

#endif
