/* sbxctl policy: its options and words, and how its files are read. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/config.h"
#include "sbxctl/effective.h"
#include "sbxctl/json.h"
#include "sbxctl/policy_words.h"
#include "sbxctl/sbxctl.h"
#include "sbxctl/show.h"
#include "sbxctl/whom.h"

int sbx_policy_load(const struct sbx_policy_request *request, const char *path,
                    struct sbx_config **config, struct sbx_policy **policy)
{
    _cleanup_free_ struct sbx_whom *whom = calloc(1, sizeof(*whom));
    if (!whom)
        return sbx_usage("out of memory");
    int status = sbx_whom_find(whom, request->account, request->home, request->workspace);
    if (status)
        return status;
    struct sbx_policy_report report = {0};
    const struct sbx_reporter reporter = {.say = sbx_policy_say, .data = &report};
    const struct sbx_effective_spec spec = {.policy = path,
                                            .root = request->root,
                                            .whom = whom,
                                            .settings = &request->settings,
                                            .reporter = &reporter};
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *read = NULL;
    status = sbx_effective_load(&spec, &read, policy, &err);
    if (status && !report.errors)
        (void)sbx_complain(&err);
    if (config && !status)
        *config = read;
    else
        sbx_config_free(read);
    return status ? SBX_EXIT_USAGE : 0;
}

struct json_object *sbx_policy_place(const struct sbx_policy *policy,
                                     const struct sbx_origin *origin)
{
    struct json_object *object = json_object_new_object();
    json_object_object_add(object, "file", sbx_json_text(sbx_policy_text(policy, origin->file)));
    json_object_object_add(object, "line", json_object_new_int64(origin->line));
    json_object_object_add(object, "column", json_object_new_int64(origin->column));
    return object;
}

void sbx_policy_print_place(const struct sbx_policy *policy, const struct sbx_origin *origin)
{
    char place[4400];
    sbx_policy_origin(policy, origin, place, sizeof(place));
    sbx_print_text(stdout, place, strlen(place));
}

static int show(const struct sbx_policy_request *request)
{
    _cleanup_free_ struct sbx_policy *policy = NULL;
    struct sbx_config *config = NULL;
    int status = sbx_policy_load(request, request->policy, &config, &policy);
    if (status)
        return status;
    if (request->is_json)
        sbx_show_json(policy, config);
    else
        sbx_show_text(policy, config);
    sbx_config_free(config);
    return SBX_EXIT_OK;
}

/* The words, how many operands each takes, and whether it is about one account. */
enum word {
    WORD_CHECK = 0,
    WORD_SHOW,
    WORD_FINGERPRINT,
    WORD_DIFF,
    WORD_TEST,
    WORD_LINT,
    WORD_TRUST,
    WORDS
};
static const struct {
    const char *name;
    int least, most;
} words[WORDS] = {
    [WORD_CHECK] = {"check",       0, 1},
    [WORD_SHOW] = {"show",        0, 1},
    [WORD_FINGERPRINT] = {"fingerprint", 0, 1},
    [WORD_DIFF] = {"diff",        2, 2},
    [WORD_TEST] = {"test",        0, 1},
    [WORD_LINT] = {"lint",        0, 1},
    [WORD_TRUST] = {"trust",       0, 1},
};

static int find_word(const char *name, enum word *word)
{
    for (int i = 0; i < WORDS; i++)
        if (!strcmp(words[i].name, name)) {
            *word = (enum word)i;
            return 0;
        }
    return sbx_usage(
        "policy: no '%s': check, show, lint, test, diff, trust and fingerprint are known", name);
}

static int run_word(enum word word, struct sbx_policy_request *request, char **operands, int count)
{
    if (word == WORD_TRUST)
        return sbx_policy_trust(request, count ? operands[0] : NULL);
    /* A file to look at may stand without --policy: sbxctl policy check FILE. */
    if (word != WORD_DIFF && count && !request->policy) {
        request->policy = operands[0];
        count = 0;
    }
    if (word != WORD_DIFF && count)
        return sbx_usage("policy: one word too many: '%s'", operands[0]);
    switch (word) {
    case WORD_CHECK:
        return request->settings.count ? sbx_usage("policy check: --set is for the other words")
                                       : sbx_policy_check(request);
    case WORD_FINGERPRINT:
        return sbx_policy_fingerprint(request);
    case WORD_DIFF:
        return request->policy ? sbx_usage("policy diff: give both files, without --policy")
                               : sbx_policy_diff(request, operands[0], operands[1]);
    case WORD_TEST:
        return sbx_policy_test(request);
    case WORD_LINT:
        return sbx_policy_lint(request);
    case WORD_SHOW:
    case WORD_TRUST:
    case WORDS:
        break;
    }
    return show(request);
}

int sbx_verb_policy(int argc, char **argv)
{
    struct sbx_policy_request request = {0};
    const struct sbx_option options[] = {
        {"--policy",          SBX_OPT_TEXT, &request.policy},
        {"--root",    SBX_OPT_TEXT, &request.root},
        {"--account",            SBX_OPT_TEXT, &request.account},
        {"--home",      SBX_OPT_TEXT, &request.home},
        {"--workspace",         SBX_OPT_TEXT, &request.workspace},
        {"--cases",   SBX_OPT_TEXT, &request.cases},
        {"--as",            SBX_OPT_TEXT, &request.as},
        {"--set",      SBX_OPT_LIST, &request.settings},
        {"--json",       SBX_OPT_FLAG, &request.is_json},
        {"--origin", SBX_OPT_FLAG, &request.has_origin},
        {"--remove",           SBX_OPT_FLAG, &request.removes},
        {0    }
    };
    int first = 0;
    enum word word = WORD_SHOW;
    if (sbx_options_read(argc, argv, options, true, &first))
        return SBX_EXIT_USAGE;
    if (first >= argc)
        return sbx_usage("policy: say check, show, lint, test, diff, trust or fingerprint");
    if (sbx_operate_check_root(request.root) || find_word(argv[first], &word))
        return SBX_EXIT_USAGE;
    int count = argc - ++first;
    if (count < words[word].least)
        return sbx_usage("policy %s: give two files or directories", words[word].name);
    if (count > words[word].most)
        return sbx_usage("policy: one word too many: '%s'", argv[first + words[word].most]);
    if (request.removes && word != WORD_TRUST)
        return sbx_usage("policy: --remove is for trust");
    if (request.has_origin && word != WORD_SHOW)
        return sbx_usage("policy: --origin is for show");
    if (request.cases && word != WORD_TEST)
        return sbx_usage("policy: --cases is for test");
    if (request.as && word != WORD_CHECK)
        return sbx_usage("policy: --as is for check");
    return run_word(word, &request, argv + first, count);
}
