/* What check and explain share: whose policy, where, and the text to judge. */
#ifndef SBX_SBXCTL_JUDGING_H
#define SBX_SBXCTL_JUDGING_H

#include "policy/config.h"
#include "policy/judge.h"
#include "sbxctl/operate.h"
#include "sbxctl/sbxctl.h"
#include "sbxctl/whom.h"

struct sbx_judging {
    const char *policy_path, *root, *account, *home, *workspace, *cwd; /* options, or NULL */
    const char *command, *file, *tool;
    struct sbx_texts settings;
    bool is_json, is_batch, is_nul;

    struct sbx_policy *policy; /* sbx_judging_open() */
    char where[4096];
    struct sbx_context context;
    struct sbx_whom *whom;
};

/* The options of both verbs, for sbx_options_read(); options holds SBX_JUDGING_OPTIONS entries. */
#define SBX_JUDGING_OPTIONS 14
void sbx_judging_options(struct sbx_judging *judging, struct sbx_option *options);

/* Reads the policy and fills in context; 0, or an exit status after having said what is wrong.
 * Free with sbx_judging_close() in both cases. */
int sbx_judging_open(struct sbx_judging *judging);
void sbx_judging_close(struct sbx_judging *judging);

/* The whole of a file ("-": standard input), at most one byte more than the judge takes; NULL
 * after having complained. The caller frees it. */
char *sbx_judging_read(const char *path, size_t *len);

int sbx_judging_exit(enum sbx_verdict_kind verdict);

#endif
