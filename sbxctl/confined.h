/* Who is confined here, for the verbs that tell. */
#ifndef SBX_SBXCTL_CONFINED_H
#define SBX_SBXCTL_CONFINED_H

#include <stdbool.h>
#include <sys/types.h>

#include "policy/config.h"
#include "policy/policy.h"
#include "warden/client.h"

struct sbx_confined {
    struct sbx_config *config;
    struct sbx_policy *policy; /* compiled for nobody in particular: for its lists */
    bool is_enabled;           /* [sandbox] enabled */
};

/* Reads the managed policy. -1 where it is invalid: then nobody can tell. Free in both cases. */
int sbx_confined_read(const struct sbx_paths *paths, struct sbx_confined *out,
                      struct sbx_err *err) SBX_MUST_CHECK;
void sbx_confined_free(struct sbx_confined *confined);

struct sbx_confined_account {
    const char *name;
    const char *group; /* the listed group it is confined through, NULL: listed itself */
    const struct sbx_origin *origin; /* where policy names it, or the group */
    bool exists;                     /* else the rest is not set */
    uid_t uid;
    gid_t gid;
    const char *home, *shell;
};

/* Calls visit for each listed user and each member of a listed group, each name once. Stops and
 * returns what visit returns where that is not 0. */
int sbx_confined_each(const struct sbx_confined *confined,
                      int (*visit)(void *data, const struct sbx_confined_account *account),
                      void *data);

#endif
