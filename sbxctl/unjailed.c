#include "sbxctl/unjailed.h"

#include <stdlib.h>
#include <unistd.h>

#include "jail/platform.h"
#include "policy/cleanup.h"
#include "sbxctl/whom.h"

void sbx_unjailed_look(const struct sbx_paths *paths, struct sbx_look *look)
{
    *look = (struct sbx_look){.lacks = SBX_LACKS_INIT};
    look->count = sbx_kernel_probe(paths->root, look->feature);
    if (geteuid() == 0)
        look->count += sbx_trial_run(look->feature + look->count);
    sbx_lacks_add(&look->lacks, look->feature, look->count);
    look->machine = (struct sbx_machine){
        .platform = sbx_platform_find(paths->root, look->platform, sizeof(look->platform)),
        .lacks = look->lacks.is_certain ? look->lacks.text : NULL,
    };
}

bool sbx_unjailed_account(const struct sbx_paths *paths, const struct sbx_confined_account *account,
                          const struct sbx_machine *machine, struct sbx_exempt *out)
{
    _cleanup_free_ struct sbx_whom *whom = calloc(1, sizeof(*whom));
    _cleanup_free_ struct sbx_policy *policy = NULL;
    struct sbx_config *config = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    if (!account->exists || account->uid == 0 || !whom ||
        sbx_whom_find(whom, account->name, NULL, NULL) || sbx_config_new(&config, &err))
        return false;
    bool is_read =
        !sbx_config_read_managed(config, paths->root, whom->name, whom->groups, NULL, &err) &&
        !sbx_policy_compile(config, &whom->subject, &policy, &err);
    sbx_config_free(config);
    return is_read && sbx_exempt_find(policy, machine, out);
}
