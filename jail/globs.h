/* What the globs of a policy match right now.
 *
 * A mount needs an object, so a rule such as deny_read = work/(any directory)/.env is carried out on
 * the files that are there when the jail is built; what appears later is the command judge's business.
 * The walk is bounded in entries, depth and matches of each rule. A rule that meets a bound is told:
 * there is no jail then, since the account could wear every rule out by making files. */
#ifndef SBX_JAIL_GLOBS_H
#define SBX_JAIL_GLOBS_H

#include <stdbool.h>
#include <sys/types.h>

#include "policy/policy.h"

#define SBX_GLOBS_ENTRIES 1000000u /* of one rule, as the next */
#define SBX_GLOBS_MATCHES 2000u
#define SBX_GLOBS_DEPTH   24u

struct sbx_globs_sink {
    /* One path that a denying glob matches; false ends the walk. */
    bool (*found)(void *data, const char *path);
    void (*cut)(void *data, const char *glob); /* a bound was met in this rule */
    /* A directory that may not be looked into, and whose it is; -1 unknown. May be NULL. */
    void (*closed)(void *data, const char *path, uid_t owner);
    void *data;
};

/* Walks below root_fd (the host's root) for every glob that takes away reading or writing. It sees
 * what the caller could reach, and follows no link. */
void sbx_globs_walk(const struct sbx_policy *policy, int root_fd,
                    const struct sbx_globs_sink *sink);

#endif
