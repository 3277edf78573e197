/* The one decision about a path: what the validator says and what the jail's view is built from.
 *
 * Longest match wins, a tie denies; a glob counts its leading literal components. Pure: no system
 * call is made here. What the kernel would resolve (links, "..") is resolved by the caller first. */
#ifndef SBX_POLICY_PATH_H
#define SBX_POLICY_PATH_H

#include "policy/policy.h"

enum sbx_path_op { SBX_OP_READ = 0, SBX_OP_WRITE, SBX_OP_DELETE, SBX_OP_EXECUTE };

struct sbx_path_decision {
    bool allowed;
    bool grantable; /* denied, but a grant could open it: in the account's home, not zone S or P */
    const struct sbx_path_rule *rule; /* the rule that decided; NULL: the default did */
};

/* Decides for an absolute, normalised path (no ".", "..", "//", no trailing slash but for "/").
 * Read and execute: allowed unless the longest match is a deny_read. Write and delete: allowed only
 * where an allow_write is the longest match and the path is readable too. Cost grows with the depth
 * of the path and the number of glob rules, not with the number of literal rules. */
struct sbx_path_decision sbx_path_decide(const struct sbx_policy *policy, const char *path,
                                         enum sbx_path_op op);

/* Lexically makes `path` absolute (against cwd, which is absolute) and takes out ".", "..", "//".
 * ".." is taken lexically here: callers resolve links of existing parts first.
 * Returns 0, or -1 where out is too small or an input holds a NUL-terminated nothing. */
int sbx_path_normalise(const char *cwd, const char *path, char *out, size_t size);

/* Anchored match of one absolute path against an absolute glob as in gitignore: * and ? stay inside
 * a component, ** crosses them, [...] is a set. A match of a leading directory matches below it. */
bool sbx_path_glob(const char *glob, const char *path);

#endif
