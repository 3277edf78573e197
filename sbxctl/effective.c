#include "sbxctl/effective.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "warden/lower.h"

/* Of an account that is not there nobody has the rights; anybody but root has only his own. */
static int add_lower(const struct sbx_effective_spec *spec, struct sbx_config *config,
                     struct sbx_policy **policy, struct sbx_err *err)
{
    const struct sbx_whom *whom = spec->whom;
    struct sbx_paths paths;
    struct sbx_helper_user clerk;
    if (sbx_paths_init(&paths, spec->root, NULL, err) ||
        sbx_helper_user("sbx-clerk", (uid_t)-1, &clerk, err))
        return -1;
    _cleanup_fd_ int trusted = sbx_trust_open(&paths, O_RDONLY);
    const struct sbx_lower_spec lower = {.home = whom->subject.home,
                                         .is_callers = geteuid() != 0 || !whom->exists ||
                                                       whom->subject.uid == 0,
                                         .uid = whom->subject.uid,
                                         .gid = whom->subject.gid,
                                         .groups = whom->gids,
                                         .group_count = (size_t)whom->gid_count,
                                         .parser_uid = clerk.uid,
                                         .parser_gid = clerk.gid,
                                         .trusted_fd = trusted};
    return sbx_lower_add(config, &whom->subject, &lower, spec->reporter, policy, err);
}

int sbx_effective_load(const struct sbx_effective_spec *spec, struct sbx_config **config,
                       struct sbx_policy **policy, struct sbx_err *err)
{
    const struct sbx_whom *whom = spec->whom;
    *config = NULL;
    *policy = NULL;
    if (sbx_config_new(config, err))
        return -1;
    int status = spec->policy
                     ? sbx_config_read_path(*config, spec->policy, whom->name, whom->groups,
                                            spec->reporter, err)
                     : sbx_config_read_managed(*config, spec->root ? spec->root : "", whom->name,
                                               whom->groups, spec->reporter, err);
    for (size_t i = 0; !status && i < spec->settings->count; i++)
        status = sbx_config_set(*config, spec->settings->text[i], "--set", err);
    if (!status)
        status = sbx_policy_compile(*config, &whom->subject, policy, err);
    if (!status)
        status = add_lower(spec, *config, policy, err);
    return status;
}
