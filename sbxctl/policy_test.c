/* sbxctl policy test: commands that must get a verdict, as examples that live with the rules. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/ini.h"
#include "policy/judge.h"
#include "sbxctl/json.h"
#include "sbxctl/judging.h"
#include "sbxctl/policy_words.h"
#include "sbxctl/sbxctl.h"

struct run {
    struct sbx_context context;
    unsigned passed, failed;
    struct json_object *failures; /* array, or NULL: printed as they come */
    const char *file;             /* of --cases */
    bool is_faulty;
};

static void try_case(struct run *run, const char *command, enum sbx_verdict_kind expected,
                     const struct sbx_place *place)
{
    struct sbx_verdict verdict;
    sbx_judge(&run->context, command, strlen(command), &verdict);
    if (verdict.verdict == expected) {
        run->passed++;
        return;
    }
    run->failed++;
    if (run->failures) {
        struct json_object *object = json_object_new_object();
        json_object_object_add(object, "file", sbx_json_text(place->file));
        json_object_object_add(object, "line", json_object_new_int64(place->line));
        json_object_object_add(object, "column", json_object_new_int64(place->column));
        json_object_object_add(object, "command", sbx_json_text(command));
        json_object_object_add(object, "expected",
                               json_object_new_string(sbx_verdict_name(expected)));
        json_object_object_add(object, "verdict",
                               json_object_new_string(sbx_verdict_name(verdict.verdict)));
        json_object_object_add(object, "class",
                               json_object_new_string(sbx_class_name(verdict.class)));
        json_object_object_add(object, "rule", sbx_json_text(verdict.rule));
        json_object_object_add(object, "origin", sbx_json_text(verdict.origin));
        json_object_object_add(object, "reason", sbx_json_text(verdict.reason));
        json_object_array_add(run->failures, object);
        return;
    }
    char lead[4400];
    sbx_place_lead(place, lead, sizeof(lead));
    sbx_print_text(stdout, lead, strlen(lead));
    (void)printf("expected %s, got %s (%s", sbx_verdict_name(expected),
                 sbx_verdict_name(verdict.verdict), sbx_class_name(verdict.class));
    if (verdict.origin[0]) {
        (void)fputs(", ", stdout);
        sbx_print_text(stdout, verdict.origin, strlen(verdict.origin));
    }
    (void)fputs("): ", stdout);
    sbx_print_text(stdout, command, strlen(command));
    (void)putchar('\n');
}

static void try_key(struct run *run, enum sbx_key key, enum sbx_verdict_kind expected)
{
    uint32_t count = 0;
    const struct sbx_policy *policy = run->context.policy;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct sbx_origin *origin = &items[i].origin;
        const struct sbx_place place = {sbx_policy_text(policy, origin->file), origin->line,
                                        origin->column};
        try_case(run, sbx_policy_text(policy, items[i].text), expected, &place);
    }
}

/* --- --cases FILE: lines as in [test] ----------------------------------------------------------- */
static void fault(void *data, const struct sbx_ini_at *at, const char *message)
{
    struct run *run = data;
    const struct sbx_place place = {run->file, at->line, at->column};
    run->is_faulty = true;
    sbx_policy_complain(SBX_SEVERITY_ERROR, &place, message);
}

static void setting(void *data, const char *section, const char *key, const char *value,
                    const struct sbx_ini_at *at)
{
    struct run *run = data;
    const struct sbx_place place = {run->file, at->line, at->value};
    for (int kind = SBX_ALLOW; kind <= SBX_DENY; kind++)
        if (!strcmp(section, "test") &&
            !strcmp(key, sbx_verdict_name((enum sbx_verdict_kind)kind))) {
            try_case(run, value, (enum sbx_verdict_kind)kind, &place);
            return;
        }
    fault(run, at, "a file of cases holds [test] with allow, ask and deny, nothing else");
}

static int try_file(struct run *run, const char *path)
{
    size_t len = 0;
    struct sbx_err err = SBX_ERR_INIT;
    _cleanup_free_ char *text = sbx_judging_read(path, &len);
    const struct sbx_ini_sink sink = {.setting = setting, .fault = fault, .data = run};
    run->file = path;
    if (!text)
        return SBX_EXIT_USAGE;
    if (sbx_ini_parse(text, len, &sink, &err) && !run->is_faulty)
        return sbx_complain(&err);
    return run->is_faulty ? SBX_EXIT_USAGE : 0;
}

static void finish(struct run *run)
{
    if (!run->failures) {
        (void)printf("policy test: %u passed, %u failed\n", run->passed, run->failed);
        return;
    }
    struct json_object *object = json_object_new_object();
    json_object_object_add(object, "passed", json_object_new_int64(run->passed));
    json_object_object_add(object, "failed", json_object_new_int64(run->failed));
    json_object_object_add(object, "failures", json_object_get(run->failures));
    (void)puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
                                                          JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

int sbx_policy_test(const struct sbx_policy_request *request)
{
    _cleanup_free_ struct sbx_policy *policy = NULL;
    int status = sbx_policy_load(request, request->policy, NULL, &policy);
    if (status)
        return status;
    struct run run = {.context = {.policy = policy},
                      .failures = request->is_json ? json_object_new_array() : NULL};
    run.context.cwd = sbx_policy_text(policy, policy->workspace);
    try_key(&run, SBX_KEY_TEST_ALLOW, SBX_ALLOW);
    try_key(&run, SBX_KEY_TEST_ASK, SBX_ASK);
    try_key(&run, SBX_KEY_TEST_DENY, SBX_DENY);
    if (request->cases)
        status = try_file(&run, request->cases);
    if (!status)
        finish(&run);
    json_object_put(run.failures);
    return status ? status : run.failed ? 1 : SBX_EXIT_OK;
}
