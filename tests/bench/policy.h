/* Policies of the programs that measure judging. */
#ifndef SBX_BENCH_POLICY_H
#define SBX_BENCH_POLICY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/config_internal.h"

static const char base_policy[] = "[sandbox]\nenabled = yes\n[filesystem]\nworkspace = ~/work\n"
                                  "allow_write = ~/work\nallow_write = /tmp\ndeny_read = ~/.ssh\n";

static inline void say(void *data, enum sbx_severity severity, const struct sbx_place *place,
                       const char *message)
{
    (void)data;
    if (severity == SBX_SEVERITY_ERROR)
        fprintf(stderr, "line %u: %s\n", place->line, message);
}

static inline struct sbx_policy *policy_of(const char *text)
{
    struct sbx_config *config = NULL;
    struct sbx_policy *policy = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    const struct sbx_reporter reporter = {.say = say};
    struct sbx_telling telling = {.reporter = &reporter, .err = &err};
    const struct sbx_subject subject = {
        .account = "agent", .home = "/home/agent", .uid = 1000, .gid = 1000};
    if (sbx_config_new(&config, &err) ||
        sbx_config_parse(config, SBX_SCOPE_MANAGED, "bench.ini", text, strlen(text), &telling) ||
        sbx_policy_compile(config, &subject, &policy, &err) ||
        !sbx_policy_attach(policy, policy->size_bytes, &err)) {
        fprintf(stderr, "bench: no policy: %s\n", err.message);
        exit(2);
    }
    sbx_config_free(config);
    return policy;
}

#endif
