/* sbxctl policy check: every file there is, and what shows only when all is put together. */
#include <fcntl.h>
#include <grp.h>
#include <json-c/json.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/cleanup.h"
#include "policy/command.h"
#include "policy/config.h"
#include "policy/config_file.h"
#include "policy/path.h"
#include "sbxctl/json.h"
#include "sbxctl/policy_words.h"
#include "sbxctl/sbxctl.h"

#define NSS_BYTES ((size_t)256 * 1024)

static const char *const severities[] = {"error", "warning", "note"};

/* A message about a file as such begins with its name: here the place says it. */
static const char *without_file(const struct sbx_place *place, const char *message)
{
    size_t len = place->file ? strlen(place->file) : 0;
    return len && !strncmp(message, place->file, len) && message[len] == ':' &&
                   message[len + 1] == ' '
               ? message + len + 2
               : message;
}

void sbx_policy_complain(enum sbx_severity severity, const struct sbx_place *place,
                         const char *message)
{
    char lead[4400];
    sbx_place_lead(place, lead, sizeof(lead));
    sbx_print_text(stderr, lead, strlen(lead));
    (void)fprintf(stderr, "%s: ", severities[severity]);
    message = without_file(place, message);
    sbx_print_text(stderr, message, strlen(message));
    (void)fputc('\n', stderr);
}

void sbx_policy_say(void *data, enum sbx_severity severity, const struct sbx_place *place,
                    const char *message)
{
    struct sbx_policy_report *report = data;
    report->errors += severity == SBX_SEVERITY_ERROR;
    report->warnings += severity == SBX_SEVERITY_WARNING;
    if (!report->messages) {
        sbx_policy_complain(severity, place, message);
        return;
    }
    struct json_object *object = json_object_new_object();
    json_object_object_add(object, "severity", json_object_new_string(severities[severity]));
    json_object_object_add(object, "file", sbx_json_text(place->file ? place->file : ""));
    json_object_object_add(object, "line", json_object_new_int64(place->line));
    json_object_object_add(object, "column", json_object_new_int64(place->column));
    json_object_object_add(object, "message", sbx_json_text(without_file(place, message)));
    json_object_array_add(report->messages, object);
}

static void say_at(const struct sbx_reporter *reporter, enum sbx_severity severity,
                   const struct sbx_policy *policy, const struct sbx_origin *origin,
                   const char *message)
{
    const struct sbx_place place = {sbx_policy_text(policy, origin->file), origin->line,
                                    origin->column};
    reporter->say(reporter->data, severity, &place, message);
}

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
    say_at(reporter, SBX_SEVERITY_WARNING, policy, &decision.rule->origin, message);
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
            say_at(reporter, SBX_SEVERITY_WARNING, policy, &items[i].origin, message);
        }
    }
}

static bool is_missing(const char *name, bool is_group)
{
    struct passwd user, *found_user = NULL;
    struct group group, *found_group = NULL;
    _cleanup_free_ char *buffer = malloc(NSS_BYTES);
    if (!buffer)
        return false;
    int trouble = is_group ? getgrnam_r(name, &group, buffer, NSS_BYTES, &found_group)
                           : getpwnam_r(name, &user, buffer, NSS_BYTES, &found_user);
    return !trouble && !found_user && !found_group;
}

/* One policy serves many machines, so that a name which this one lacks is no fault; it may be misspelt. */
static void note_missing(const struct sbx_policy *policy, const struct sbx_reporter *reporter)
{
    static const struct {
        enum sbx_key key;
        const char *what;
    } lists[] = {
        {SBX_KEY_ACCOUNTS_USER,  "account"},
        {SBX_KEY_ACCOUNTS_GROUP, "group"  },
    };
    for (size_t list = 0; list < sizeof(lists) / sizeof(*lists); list++) {
        uint32_t count = 0;
        const struct sbx_item *items = sbx_policy_list(policy, lists[list].key, &count);
        for (uint32_t i = 0; i < count; i++) {
            const char *name = sbx_policy_text(policy, items[i].text);
            char message[300];
            if (!is_missing(name, lists[list].key == SBX_KEY_ACCOUNTS_GROUP))
                continue;
            (void)snprintf(message, sizeof(message), "this machine has no %s %.200s",
                           lists[list].what, name);
            say_at(reporter, SBX_SEVERITY_NOTE, policy, &items[i].origin, message);
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
    struct sbx_place culprit;
    _cleanup_free_ struct sbx_policy *policy = NULL;
    if (!sbx_policy_compile_or(config, &subject, &policy, &culprit, &err)) {
        warn_of_workspace(policy, reporter);
        warn_of_commands(policy, reporter);
        note_missing(policy, reporter);
        return 0;
    }
    char lead[4400];
    sbx_place_lead(&culprit, lead, sizeof(lead));
    bool is_led = !strncmp(err.message, lead, strlen(lead));
    reporter->say(reporter->data, SBX_SEVERITY_ERROR, &culprit,
                  is_led ? err.message + strlen(lead) : err.message);
    return -1;
}

/* --as user, project, local: a file of an account or of a project, in which other keys count. */
static enum sbx_scope lower_scope(const struct sbx_policy_request *request)
{
    static const struct {
        const char *name;
        enum sbx_scope scope;
    } scopes[] = {
        {"user",    SBX_SCOPE_USER   },
        {"project", SBX_SCOPE_PROJECT},
        {"local",   SBX_SCOPE_LOCAL  }
    };
    for (size_t i = 0; request->as && i < sizeof(scopes) / sizeof(*scopes); i++)
        if (!strcmp(request->as, scopes[i].name))
            return scopes[i].scope;
    return SBX_SCOPE_MANAGED;
}

/* A file on its way to its place has another name: some keys count in some places only, and what does
 * not end in .ini would not be read. */
static int place_as(struct sbx_config *config, const struct sbx_policy_request *request)
{
    static const struct {
        const char *folder;
        bool is_narrow;
    } folders[] = {
        {"policy.d/",  false},
        {"group.d/",   true },
        {"account.d/", true }
    };
    const char *as = request->as;
    size_t len = as ? strlen(as) : 0;
    struct stat st;
    if (!as)
        return 0;
    if (!request->policy || (!stat(request->policy, &st) && S_ISDIR(st.st_mode)))
        return sbx_usage("policy check: --as says where one FILE will lie: give that file");
    if (!strcmp(as, "policy.ini") || lower_scope(request) != SBX_SCOPE_MANAGED)
        return 0;
    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
        size_t skip = strlen(folders[i].folder);
        if (strncmp(as, folders[i].folder, skip) != 0 || strchr(as + skip, '/') || len < skip + 5 ||
            strcmp(as + len - 4, ".ini") != 0 || as[skip] == '.')
            continue;
        if (folders[i].is_narrow)
            sbx_config_narrow(config);
        return 0;
    }
    return sbx_usage(
        "policy check: '%s' is no file that is read: --as takes policy.ini, "
        "policy.d/NAME.ini, group.d/GROUP.ini, account.d/ACCOUNT.ini, user, project or "
        "local",
        as);
}

static int check_lower(struct sbx_config *config, const char *path, enum sbx_scope scope,
                       const struct sbx_reporter *reporter, struct sbx_err *err)
{
    const struct sbx_opening how = {0};
    const struct sbx_lower_file file = {.scope = scope, .label = path, .base = "/home/agent/work"};
    const struct sbx_place place = {.file = path};
    _cleanup_fd_ int fd = -1;
    _cleanup_free_ char *bytes = NULL;
    size_t len = 0;
    enum sbx_open_result result = sbx_config_open(&how, AT_FDCWD, path, path, &fd, err);
    if (result == SBX_OPEN_ABSENT)
        sbx_fail(err, SBX_E_POLICY, 0, "%s: no such file or directory", path);
    else if (result == SBX_OPEN_DONE && !sbx_config_slurp(fd, path, &bytes, &len, err))
        return sbx_config_read_lower(config, &file, bytes, len, reporter, err);
    reporter->say(reporter->data, SBX_SEVERITY_ERROR, &place, err->message);
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
    if (place_as(config, request)) {
        sbx_config_free(config);
        return SBX_EXIT_USAGE;
    }
    enum sbx_scope scope = lower_scope(request);
    int status =
        scope == SBX_SCOPE_MANAGED
            ? sbx_config_check(config, request->root, request->policy, &reporter, &files, &err)
            : check_lower(config, request->policy, scope, &reporter, &err);
    files += scope != SBX_SCOPE_MANAGED;
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
