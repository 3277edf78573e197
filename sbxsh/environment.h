/* The environment of the account's programs, made afresh.
 *
 * What a login program hands over is hostile: ~/.pam_environment, ~/.ssh/environment and AcceptEnv
 * have all carried LD_PRELOAD and BASH_ENV into shells. At an entry little of it is taken, by name and
 * by form; in a nested call, inside the sealed process tree, all but what changes how bash reads. */
#ifndef SBX_SBXSH_ENVIRONMENT_H
#define SBX_SBXSH_ENVIRONMENT_H

#include <stdbool.h>

#include "policy/arena.h"
#include "policy/policy.h"

#define SBXSH_ENVIRONMENT_MAX_BYTES ((size_t)4 * 1024 * 1024)

struct sbxsh_entry {
    const struct sbx_policy *policy;
    const char *shell; /* value of SHELL */
    const char *jail;  /* id of the jail, told in SBX_JAIL */
    const char *brief; /* its file, told in SBX_BRIEF */
    const char *tty;   /* name of the jail's terminal, or NULL */
    bool is_nested;    /* called by a program of the session */
};

/* Builds a NULL-terminated environment in the arena from what was inherited (hostile; never
 * changed) and the policy. Returns NULL with *err filled in. The arena owns everything. */
char **sbxsh_environment_build(struct sbx_arena *arena, const struct sbxsh_entry *entry,
                               const char *const *inherited, struct sbx_err *err) SBX_MUST_CHECK;

/* Shell-style match of a whole name: * and ? only. Linear in the name for each star. */
bool sbxsh_name_matches(const char *pattern, const char *name, size_t name_len);

#endif
