/* For tests: a compiled policy from the text of a managed file. Include after <check.h>. */
#ifndef SBX_TESTS_POLICY_TEXT_H
#define SBX_TESTS_POLICY_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/config_internal.h"

/* All faults of one text, one a line: "LINE:COLUMN message". */
struct told {
    char text[8192];
    unsigned count, warnings;
};

static inline void told_say(void *data, enum sbx_severity severity, const struct sbx_place *place,
                            const char *message)
{
    struct told *told = data;
    size_t used = strlen(told->text);
    if (severity != SBX_SEVERITY_ERROR)
        told->warnings++;
    else
        told->count++;
    (void)snprintf(told->text + used, sizeof(told->text) - used, "%u:%u %s\n", place->line,
                   place->column, message);
}

static inline int told_parse(struct sbx_config *config, enum sbx_scope scope, const char *bytes,
                             size_t len, struct told *told)
{
    *told = (struct told){0};
    const struct sbx_reporter reporter = {.say = told_say, .data = told};
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_telling telling = {.reporter = &reporter, .err = &err};
    return sbx_config_parse(config, scope, "p.ini", bytes, len, &telling);
}

/* The policy of account agent, home /home/agent. Free with free(). */
static inline struct sbx_policy *policy_of_scopes(const char *managed, const char *flag)
{
    struct sbx_config *config = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    struct told told;
    struct sbx_policy *policy = NULL;
    const struct sbx_subject subject = {
        .account = "agent", .home = "/home/agent", .uid = 1000, .gid = 1000};
    ck_assert_int_eq(sbx_config_new(&config, &err), 0);
    ck_assert_msg(!told_parse(config, SBX_SCOPE_MANAGED, managed, strlen(managed), &told), "%s",
                  told.text);
    if (flag)
        ck_assert_msg(!told_parse(config, SBX_SCOPE_FLAG, flag, strlen(flag), &told), "%s",
                      told.text);
    ck_assert_msg(!sbx_policy_compile(config, &subject, &policy, &err), "%s", err.message);
    sbx_config_free(config);
    ck_assert_ptr_nonnull(sbx_policy_attach(policy, policy->size_bytes, &err));
    return policy;
}

static inline struct sbx_policy *policy_of(const char *managed)
{
    return policy_of_scopes(managed, NULL);
}

#endif
