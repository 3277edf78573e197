/* What the words behind `sbxctl policy` share. */
#ifndef SBX_SBXCTL_POLICY_WORDS_H
#define SBX_SBXCTL_POLICY_WORDS_H

#include "policy/policy.h"
#include "sbxctl/operate.h"
#include "policy/config.h"

struct json_object;

struct sbx_policy_request { /* options, or NULL */
    const char *policy, *root, *account, *home, *workspace, *cases;
    const char *as; /* of check: what the file will be called below /etc/sbx */
    struct sbx_texts settings;
    bool is_json, removes;
    bool has_origin; /* show prints the place of every value with or without it */
};

/* What was told while reading: printed at once, or gathered for JSON. */
struct sbx_policy_report {
    unsigned errors, warnings;
    struct json_object *messages; /* array, or NULL */
};
void sbx_policy_say(void *data, enum sbx_severity severity, const struct sbx_place *place,
                    const char *message);

/* One message to standard error: "FILE:LINE:COLUMN: error: …". */
void sbx_policy_complain(enum sbx_severity severity, const struct sbx_place *place,
                         const char *message);

/* Reads what is in force for the account that the request names, managed policy from `path` where it is
 * not NULL. *policy is the caller's, free(3), and so is *config, unless config is NULL. 0, or an exit
 * status after having said what is wrong. */
int sbx_policy_load(const struct sbx_policy_request *request, const char *path,
                    struct sbx_config **config, struct sbx_policy **policy);

/* "file:line", or "built-in", to standard output. */
void sbx_policy_print_place(const struct sbx_policy *policy, const struct sbx_origin *origin);

/* One finding of lint or one failed case of test, as the tools of a configuration manager read it. */
struct json_object *sbx_policy_place(const struct sbx_policy *policy,
                                     const struct sbx_origin *origin);

/* Each returns an exit status. */
int sbx_policy_check(const struct sbx_policy_request *request);
int sbx_policy_fingerprint(const struct sbx_policy_request *request);
int sbx_policy_diff(const struct sbx_policy_request *request, const char *before,
                    const char *after);
int sbx_policy_test(const struct sbx_policy_request *request);
int sbx_policy_lint(const struct sbx_policy_request *request);
int sbx_policy_trust(const struct sbx_policy_request *request, const char *file); /* NULL: list */

#endif
