/* sbxctl policy: check the files, show what is in force and where it is written. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/command.h"
#include "policy/config.h"
#include "policy/path.h"
#include "sbxctl/json.h"
#include "sbxctl/operate.h"
#include "sbxctl/sbxctl.h"
#include "sbxctl/whom.h"
#include "sbxctl/show.h"

struct request {
    const char *policy, *root, *account, *home, *workspace;
    struct sbx_texts settings;
    bool is_json;
};

/* What was told while reading: printed at once, or gathered for JSON. */
struct report {
    unsigned errors, warnings;
    struct json_object *messages; /* array, or NULL */
};

static void say(void *data, enum sbx_severity severity, const char *file, unsigned line,
                const char *message)
{
    static const char *const names[] = {"error", "warning", "note"};
    struct report *report = data;
    report->errors += severity == SBX_SEVERITY_ERROR;
    report->warnings += severity == SBX_SEVERITY_WARNING;
    if (report->messages) {
        struct json_object *object = json_object_new_object();
        json_object_object_add(object, "severity", json_object_new_string(names[severity]));
        json_object_object_add(object, "file", sbx_json_text(file ? file : ""));
        json_object_object_add(object, "line", json_object_new_int64(line));
        json_object_object_add(object, "message", sbx_json_text(message));
        json_object_array_add(report->messages, object);
        return;
    }
    if (line) {
        sbx_print_text(stderr, file, strlen(file));
        (void)fprintf(stderr, ":%u: ", line);
    }
    (void)fprintf(stderr, "%s: ", names[severity]);
    sbx_print_text(stderr, message, strlen(message));
    (void)fputc('\n', stderr);
}

/* --- check ------------------------------------------------------------------------------------ */
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
static int try_compile(struct sbx_config *config, const struct request *request,
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

static int check(const struct request *request)
{
    struct report report = {.messages = request->is_json ? json_object_new_array() : NULL};
    const struct sbx_reporter reporter = {.say = say, .data = &report};
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

/* --- show ------------------------------------------------------------------------------------- */
static int load(const struct request *request, const struct sbx_whom *whom,
                struct sbx_policy **policy)
{
    struct report report = {0};
    const struct sbx_reporter reporter = {.say = say, .data = &report};
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config = NULL;
    if (sbx_config_new(&config, &err))
        return sbx_complain(&err);
    int status = request->policy ? sbx_config_read_path(config, request->policy, whom->name,
                                                        whom->groups, &reporter, &err)
                                 : sbx_config_read_managed(config, request->root, whom->name,
                                                           whom->groups, &reporter, &err);
    bool is_told = report.errors > 0;
    for (size_t i = 0; !status && i < request->settings.count; i++)
        status = sbx_config_set(config, request->settings.text[i], "--set", &err);
    if (!status)
        status = sbx_policy_compile(config, &whom->subject, policy, &err);
    sbx_config_free(config);
    if (status && !is_told)
        (void)sbx_complain(&err);
    return status ? SBX_EXIT_USAGE : 0;
}

static int show(const struct request *request)
{
    _cleanup_free_ struct sbx_whom *whom = calloc(1, sizeof(*whom));
    _cleanup_free_ struct sbx_policy *policy = NULL;
    if (!whom)
        return sbx_usage("out of memory");
    int status = sbx_whom_find(whom, request->account, request->home, request->workspace);
    if (!status)
        status = load(request, whom, &policy);
    if (status)
        return status;
    if (request->is_json)
        sbx_show_json(policy);
    else
        sbx_show_text(policy);
    return SBX_EXIT_OK;
}

int sbx_verb_policy(int argc, char **argv)
{
    struct request request = {0};
    const struct sbx_option options[] = {
        {"--policy",        SBX_OPT_TEXT, &request.policy},
        {"--root",  SBX_OPT_TEXT, &request.root},
        {"--account",          SBX_OPT_TEXT, &request.account},
        {"--home",    SBX_OPT_TEXT, &request.home},
        {"--workspace",       SBX_OPT_TEXT, &request.workspace},
        {"--set", SBX_OPT_LIST, &request.settings},
        {"--json",          SBX_OPT_FLAG, &request.is_json},
        {0   }
    };
    int first = 0;
    if (sbx_options_read(argc, argv, options, true, &first))
        return SBX_EXIT_USAGE;
    if (first >= argc)
        return sbx_usage("policy: say check or show");
    if (sbx_operate_check_root(request.root))
        return SBX_EXIT_USAGE;
    bool is_check = !strcmp(argv[first], "check");
    if (!is_check && strcmp(argv[first], "show") != 0)
        return sbx_usage("policy: no '%s': check and show are known", argv[first]);
    /* A file to check may stand without --policy: sbxctl policy check FILE. */
    if (is_check && first + 1 < argc && !request.policy)
        request.policy = argv[++first];
    if (first + 1 < argc)
        return sbx_usage("policy: one word too many: '%s'", argv[first + 1]);
    if (is_check && request.settings.count)
        return sbx_usage("policy check: --set is for show");
    return is_check ? check(&request) : show(&request);
}
