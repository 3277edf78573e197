#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "sbxctl/confined.h"
#include "sbxctl/json.h"
#include "sbxctl/operate.h"
#include "sbxctl/sbxctl.h"
#include "sbxctl/unjailed.h"

struct status {
    const struct sbx_paths *paths;
    struct sbx_look look;
    struct json_object *accounts; /* array of names */
    struct json_object *unjailed; /* of objects: those who log in without a jail, and why */
    unsigned missing;             /* listed, and no such account */
    uint64_t jails, retired, sessions, processes, events, dropped;
    struct sbx_err policy_error, jails_error;
    bool is_enabled;
};

static int note_account(void *data, const struct sbx_confined_account *account)
{
    struct status *status = data;
    struct sbx_exempt exempt;
    status->missing += !account->exists;
    if (status->is_enabled &&
        sbx_unjailed_account(status->paths, account, &status->look.machine, &exempt)) {
        struct json_object *row = json_object_new_object();
        json_object_object_add(row, "account", sbx_json_text(account->name));
        json_object_object_add(row, "rule", sbx_json_text(exempt.rule));
        json_object_object_add(row, "origin", sbx_json_text(exempt.origin));
        json_object_object_add(row, "why", sbx_json_text(exempt.why));
        json_object_array_add(status->unjailed, row);
    }
    return json_object_array_add(status->accounts, sbx_json_text(account->name));
}

static int note_jail(void *data, const char *name, const struct sbx_state *state)
{
    struct status *status = data;
    (void)name;
    status->jails++;
    status->retired += state->is_retired != 0;
    status->sessions += state->sessions;
    status->processes += state->processes;
    status->events += state->events;
    status->dropped += state->dropped;
    return 0;
}

static void gather(const struct sbx_paths *paths, struct status *status)
{
    struct sbx_confined confined;
    status->paths = paths;
    sbx_unjailed_look(paths, &status->look);
    if (!sbx_confined_read(paths, &confined, &status->policy_error)) {
        status->is_enabled = confined.is_enabled;
        (void)sbx_confined_each(&confined, note_account, status);
    }
    sbx_confined_free(&confined);
    (void)!sbx_jails_each(paths, note_jail, status, &status->jails_error);
}

/* Whether this machine can hold a jail, and each thing that keeps it from it. */
static struct json_object *sandbox_object(const struct sbx_look *look)
{
    struct json_object *object = json_object_new_object(), *missing = json_object_new_array();
    for (size_t i = 0; i < look->count; i++) {
        const struct sbx_feature *feature = &look->feature[i];
        if (feature->is_present || feature->need != SBX_NEED_MUST)
            continue;
        struct json_object *row = json_object_new_object();
        json_object_object_add(row, "name", json_object_new_string(feature->name));
        json_object_object_add(row, "detail", sbx_json_text(feature->detail));
        json_object_array_add(missing, row);
    }
    json_object_object_add(object, "available", json_object_new_boolean(!look->lacks.count));
    json_object_object_add(object, "platform",
                           json_object_new_string(sbx_platform_name(look->machine.platform)));
    json_object_object_add(object, "missing", missing);
    return object;
}

static void print_sandbox(const struct sbx_look *look)
{
    (void)printf("platform  %s\n", sbx_platform_name(look->machine.platform));
    if (!look->lacks.count) {
        (void)puts("sandbox   available");
        return;
    }
    (void)puts("sandbox   UNAVAILABLE: this machine lacks");
    for (size_t i = 0; i < look->count; i++)
        if (!look->feature[i].is_present && look->feature[i].need == SBX_NEED_MUST)
            (void)printf("          %s: %s\n", look->feature[i].name, look->feature[i].detail);
    (void)puts("          logins of confined accounts are refused, but for those named below");
}

/* Texts of policy, which name files. */
static void print_unjailed(const struct status *status)
{
    static const char *const parts[] = {"account", "rule", "origin"};
    static const char *const before[] = {"unjailed  ", ": ", " ("};
    for (size_t i = 0; i < json_object_array_length(status->unjailed); i++) {
        struct json_object *row = json_object_array_get_idx(status->unjailed, i);
        for (size_t k = 0; k < sizeof(parts) / sizeof(*parts); k++) {
            const char *text = json_object_get_string(json_object_object_get(row, parts[k]));
            (void)fputs(before[k], stdout);
            sbx_print_text(stdout, text, strlen(text));
        }
        (void)puts(")");
    }
}

static void print_json(const struct status *status)
{
    const struct {
        const char *key;
        uint64_t number;
    } numbers[] = {
        {"jails",     status->jails    },
        {"retired",   status->retired  },
        {"sessions",  status->sessions },
        {"processes", status->processes},
        {"events",    status->events   },
        {"dropped",   status->dropped  }
    };
    struct json_object *object = json_object_new_object(), *policy = json_object_new_object();
    json_object_object_add(policy, "valid", json_object_new_boolean(!status->policy_error.code));
    json_object_object_add(policy, "enabled", json_object_new_boolean(status->is_enabled));
    if (status->policy_error.code)
        json_object_object_add(policy, "error", sbx_json_text(status->policy_error.message));
    json_object_object_add(object, "policy", policy);
    json_object_object_add(object, "sandbox", sandbox_object(&status->look));
    json_object_object_add(object, "accounts", json_object_get(status->accounts));
    json_object_object_add(object, "unjailed", json_object_get(status->unjailed));
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        json_object_object_add(object, numbers[i].key,
                               json_object_new_int64((int64_t)numbers[i].number));
    if (status->jails_error.code)
        json_object_object_add(object, "error", sbx_json_text(status->jails_error.message));
    (void)puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
    json_object_put(object);
}

static void print_policy(const struct status *status)
{
    if (!status->policy_error.code) {
        (void)printf("policy    valid%s\n",
                     status->is_enabled ? "" : ", but [sandbox] enabled = no: nobody is confined");
        return;
    }
    (void)fputs("policy    INVALID: ", stdout);
    sbx_print_text(stdout, status->policy_error.message, strlen(status->policy_error.message));
    (void)puts("\n          Confined accounts cannot log in until this is mended, unless on_error "
               "= last-good "
               "keeps their last policy.");
}

static void print_text(const struct status *status)
{
    size_t count = json_object_array_length(status->accounts);
    print_sandbox(&status->look);
    print_policy(status);
    (void)printf("accounts  %zu%s", count, count ? ":" : "");
    for (size_t i = 0; i < count; i++)
        (void)printf(" %s", json_object_get_string(json_object_array_get_idx(status->accounts, i)));
    if (status->missing)
        (void)printf(" (%u of them not on this machine)", status->missing);
    (void)putchar('\n');
    print_unjailed(status);
    if (status->jails_error.code)
        (void)printf("jails     unknown: %s\n", status->jails_error.message);
    else
        (void)printf("jails     %llu live (%llu retired, in their grace), %llu sessions, %llu "
                     "processes\n",
                     (unsigned long long)status->jails, (unsigned long long)status->retired,
                     (unsigned long long)status->sessions, (unsigned long long)status->processes);
    (void)printf("events    %llu by the live jails, %llu dropped\n",
                 (unsigned long long)status->events, (unsigned long long)status->dropped);
}

int sbx_verb_status(int argc, char **argv)
{
    const char *root = NULL;
    bool json = false;
    const struct sbx_option options[] = {
        {"--root", SBX_OPT_TEXT, &root},
        {"--json",   SBX_OPT_FLAG, &json},
        {0}
    };
    struct sbx_paths paths;
    int first;
    if (sbx_options_read(argc, argv, options, true, &first))
        return SBX_EXIT_USAGE;
    if (first < argc)
        return sbx_usage("status: takes no operand, '%s' is one", argv[first]);
    if (sbx_operate_paths(root, &paths))
        return SBX_EXIT_USAGE;
    struct status status = {.accounts = json_object_new_array(),
                            .unjailed = json_object_new_array()};
    gather(&paths, &status);
    if (json)
        print_json(&status);
    else
        print_text(&status);
    json_object_put(status.accounts);
    json_object_put(status.unjailed);
    return SBX_EXIT_OK;
}
