#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sbxctl/operate.h"
#include "sbxctl/sbxctl.h"

struct listing {
    struct json_object *json; /* NULL: a table */
    unsigned rows;
    time_t now;
};

static const char *state_word(const struct sbx_state *state)
{
    return state->is_retired ? "retired" : state->sessions ? "in use" : "lingers";
}

static int add_json(struct json_object *list, const char *name, const struct sbx_state *state)
{
    struct json_object *row = json_object_new_object();
    if (!row || json_object_array_add(list, row))
        return -1;
    const struct {
        const char *key;
        struct json_object *value;
    } members[] = {
        {"jail",       json_object_new_string(name)                   },
        {"account",    json_object_new_string(state->account)         },
        {"uid",        json_object_new_int64(state->uid)              },
        {"sessions",   json_object_new_int64(state->sessions)         },
        {"processes",  json_object_new_int64(state->processes)        },
        {"state",      json_object_new_string(state_word(state))      },
        {"started",    json_object_new_int64(state->started)          },
        {"retired",    json_object_new_boolean(state->is_retired != 0)},
        {"events",     json_object_new_int64((int64_t)state->events)  },
        {"dropped",    json_object_new_int64((int64_t)state->dropped) },
        {"warden_pid", json_object_new_int64(state->warden_pid)       },
        {"init_pid",   json_object_new_int64(state->init_pid)         },
    };
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
        if (json_object_object_add(row, members[i].key, members[i].value))
            return -1;
    char fingerprint[17];
    (void)snprintf(fingerprint, sizeof(fingerprint), "%016llx",
                   (unsigned long long)state->fingerprint);
    return json_object_object_add(row, "policy", json_object_new_string(fingerprint));
}

static void age_text(int64_t seconds, char out[32])
{
    seconds = seconds > 0 ? seconds : 0;
    if (seconds < 3600)
        (void)snprintf(out, 32, "%lldm%02llds", (long long)seconds / 60, (long long)seconds % 60);
    else if (seconds < 86400)
        (void)snprintf(out, 32, "%lldh%02lldm", (long long)seconds / 3600,
                       (long long)seconds / 60 % 60);
    else
        (void)snprintf(out, 32, "%lldd%02lldh", (long long)seconds / 86400,
                       (long long)seconds / 3600 % 24);
}

static int visit(void *data, const char *name, const struct sbx_state *state)
{
    struct listing *listing = data;
    if (listing->json)
        return add_json(listing->json, name, state);
    if (!listing->rows++)
        (void)printf("%-12s %-16s %8s %9s %8s %7s %7s %s\n", "JAIL", "ACCOUNT", "SESSIONS",
                     "PROCESSES", "AGE", "EVENTS", "DROPPED", "STATE");
    char age[32];
    age_text(listing->now - state->started, age);
    (void)printf("%-12s %-16s %8u %9u %8s %7llu %7llu %s\n", name, state->account, state->sessions,
                 state->processes, age, (unsigned long long)state->events,
                 (unsigned long long)state->dropped, state_word(state));
    return 0;
}

int sbx_verb_jails(int argc, char **argv)
{
    const char *root = NULL;
    bool json = false;
    const struct sbx_option options[] = {
        {"--root", SBX_OPT_TEXT, &root},
        {"--json",   SBX_OPT_FLAG, &json},
        {0}
    };
    int first;
    if (sbx_options_read(argc, argv, options, true, &first))
        return SBX_EXIT_USAGE;
    if (first < argc)
        return sbx_usage("jails: takes no operand, '%s' is one", argv[first]);
    struct sbx_paths paths;
    if (sbx_operate_paths(root, &paths))
        return SBX_EXIT_USAGE;
    struct sbx_err err = SBX_ERR_INIT;
    struct listing listing = {.json = json ? json_object_new_array() : NULL, .now = time(NULL)};
    int status = SBX_EXIT_OK;
    if (sbx_jails_each(&paths, visit, &listing, &err) < 0)
        status = sbx_complain(&err);
    else if (listing.json)
        (void)puts(json_object_to_json_string_ext(listing.json, JSON_C_TO_STRING_PLAIN));
    json_object_put(listing.json);
    return status;
}
