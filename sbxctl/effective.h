/* The policy in force for one account, from all scopes. */
#ifndef SBX_SBXCTL_EFFECTIVE_H
#define SBX_SBXCTL_EFFECTIVE_H

#include "policy/config.h"
#include "sbxctl/operate.h"
#include "sbxctl/whom.h"

struct sbx_effective_spec {
    const char *policy, *root; /* --policy PATH, or NULL for what lies below root (NULL: /) */
    const struct sbx_whom *whom;
    const struct sbx_texts *settings; /* --set */
    const struct sbx_reporter *reporter;
};

/* Reads managed policy, options, and the files of the user and of the workspaces, as a login would. *config
 * tells what does not count (sbx_config_ignored()); both are the caller's also after a failure, NULL or
 * not. Messages of files went to the reporter; *err may repeat the first. */
int sbx_effective_load(const struct sbx_effective_spec *spec, struct sbx_config **config,
                       struct sbx_policy **policy, struct sbx_err *err) SBX_MUST_CHECK;

#endif
