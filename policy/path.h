/* The one decision about a path: what the validator says and what the jail's view is built from.
 *
 * Longest match wins, a tie denies; a glob counts its leading literal components. Pure: no
 * system call is made here. What the kernel would resolve (links, "..") is resolved by the
 * caller first. */
#ifndef SBX_POLICY_PATH_H
#define SBX_POLICY_PATH_H

#include "policy/policy.h"

enum sbx_path_op { SBX_OP_READ = 0, SBX_OP_WRITE, SBX_OP_DELETE, SBX_OP_EXECUTE };

struct sbx_path_decision {
    bool allowed;
    bool grantable; /* denied by no rule but for want of one, in the account's home: a grant could
                       open it. What a rule or zone S or P denies, only policy opens. */
    const struct sbx_path_rule *rule; /* the rule that decided; NULL: the default did */
};

/* Decides for an absolute, normalised path (no ".", "..", "//", no trailing slash but for "/").
 * Read and execute: allowed unless the longest match is a deny_read. Write and delete: allowed only
 * where an allow_write is the longest match and the path is readable too. An allow of a lower scope
 * never opens a deny of a higher one; zone P is never opened, zone S only by a managed allow of an
 * exact path. Cost grows with the depth of the path and the globs anchored above it, not with the
 * number of literal rules. A path that is not absolute is refused. */
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
