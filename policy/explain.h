/* Judging aloud: each command in each peeled form, each path asked about, each finding. */
#ifndef SBX_POLICY_EXPLAIN_H
#define SBX_POLICY_EXPLAIN_H

#include "policy/judge.h"

struct sbx_told_command {
    const char *const *word; /* "?" where a part is not known */
    uint32_t words;
    unsigned depth;    /* how deep it was peeled */
    const char *entry; /* its names in the command table, or NULL */
    bool is_readonly;
    const char *instead; /* why it cannot work in a jail and what does, or NULL */
};

struct sbx_told_path {
    const char *path, *operation, *decision; /* read, write, …; allowed, may be granted, refused */
    const char *rule, *origin;               /* "" where the default decided */
};

struct sbx_told_finding {
    enum sbx_verdict_kind verdict;
    enum sbx_class class;
    const char *what, *reason, *path; /* path: "" if none */
};

struct sbx_teller {
    void (*command)(void *data, const struct sbx_told_command *command);
    void (*path)(void *data, const struct sbx_told_path *path);
    void (*finding)(void *data, const struct sbx_told_finding *finding);
    void *data;
};

/* sbx_judge() that tells what it sees on the way. What is told may be said twice where code is
 * looked at twice (loops, functions). Strings are valid during the call only. */
void sbx_judge_explained(const struct sbx_context *context, const char *text, size_t len,
                         const struct sbx_teller *teller, struct sbx_verdict *out);

/* Why a program, by its plain name, cannot work in a jail, and what to do instead; NULL: it can. */
const char *sbx_command_instead(const char *name);

#endif
