/* sbxctl policy check: every file there is, and what shows only when all is put together. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/command.h"
#include "policy/config.h"
#include "policy/path.h"
#include "sbxctl/policy_words.h"
#include "sbxctl/sbxctl.h"

/* Sessions start there, and find out command by command. */
static void warn_of_workspace(const struct sbx_policy *policy, const struct sbx_reporter *reporter)
{
    const char *workspace = sbx_policy_text(policy, policy->workspace);
    struct sbx_path_decision decision = sbx_path_decide(policy, workspace, SBX_OP_WRITE);
    char message[512];
    if (decision.allowed || !decision.rule)
        return;
    (void)snprintf(message, sizeof(message),
                   "the workspace, %.200s, is not writable: %.200s is denied", workspace,
                   sbx_policy_text(policy, decision.rule->path));
    reporter->say(reporter->data, SBX_SEVERITY_WARNING,
                  sbx_policy_text(policy, decision.rule->origin.file), decision.rule->origin.line,
                  message);
}

/* Sections for commands that the table knows: it keeps to what it knows. Said once for each name. */
static void warn_of_commands(const struct sbx_policy *policy, const struct sbx_reporter *reporter)
{
    char said[64] = "";
    for (unsigned key = SBX_KEY_COMMAND_WRAPPER; key <= SBX_KEY_COMMAND_OPTIONS; key++) {
        uint32_t count = 0;
        const struct sbx_item *items = sbx_policy_list(policy, (enum sbx_key)key, &count);
        for (uint32_t i = 0; i < count; i++) {
            const char *name = sbx_policy_text(policy, items[i].text);
            size_t len = strcspn(name, " ");
            char message[256];
            if (!sbx_command_find(name, len) || len >= sizeof(said) ||
                (!strncmp(said, name, len) && !said[len]))
                continue;
            (void)snprintf(said, sizeof(said), "%.*s", (int)len, name);
            (void)snprintf(message, sizeof(message),
                           "[command %s] changes nothing: the judge knows %s already; a rule in "
                           "[permissions] can say more of it",
                           said, said);
            reporter->say(reporter->data, SBX_SEVERITY_WARNING,
                          sbx_policy_text(policy, items[i].origin.file), items[i].origin.line,
                          message);
        }
    }
}

/* Some faults show only when all is put together; any account will do. */
static int try_compile(struct sbx_config *config, const struct sbx_policy_request *request,
                       const struct sbx_reporter *reporter)
{
    const struct sbx_subject subject = {.account = request->account ? request->account : "agent",
                                        .home = request->home ? request->home : "/home/agent",
                                        .workspace = request->workspace,
                                        .uid = 65534,
                                        .gid = 65534};
    struct sbx_err err = SBX_ERR_INIT;
    _cleanup_free_ struct sbx_policy *policy = NULL;
    if (!sbx_policy_compile(config, &subject, &policy, &err)) {
        warn_of_workspace(policy, reporter);
        warn_of_commands(policy, reporter);
        return 0;
    }
    reporter->say(reporter->data, SBX_SEVERITY_ERROR, "", 0, err.message);
    return -1;
}

int sbx_policy_check(const struct sbx_policy_request *request)
{
    struct sbx_policy_report report = {.messages =
                                           request->is_json ? json_object_new_array() : NULL};
    const struct sbx_reporter reporter = {.say = sbx_policy_say, .data = &report};
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config = NULL;
    size_t files = 0;
    if (sbx_config_new(&config, &err))
        return sbx_complain(&err);
    int status = sbx_config_check(config, request->root, request->policy, &reporter, &files, &err);
    if (!status)
        status = try_compile(config, request, &reporter);
    else if (!report.errors)
        (void)sbx_complain(&err);
    sbx_config_free(config);
    if (report.messages) {
        struct json_object *object = json_object_new_object();
        json_object_object_add(object, "valid", json_object_new_boolean(!status));
        json_object_object_add(object, "files", json_object_new_int64((int64_t)files));
        json_object_object_add(object, "messages", report.messages);
        (void)puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
        json_object_put(object);
    } else if (!status) {
        (void)printf("%zu policy file%s, no error%s\n", files, files == 1 ? "" : "s",
                     files ? "" : ": nobody is confined");
    }
    return status ? SBX_EXIT_USAGE : SBX_EXIT_OK;
}
