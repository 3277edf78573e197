/* Confined accounts whose logins have no jail, as policy and this machine are now: for the verbs that tell. */
#ifndef SBX_SBXCTL_UNJAILED_H
#define SBX_SBXCTL_UNJAILED_H

#include "jail/kernel.h"
#include "policy/exempt.h"
#include "sbxctl/confined.h"

/* What this machine has and lacks, item by item; what only root can try is tried where root asks. */
struct sbx_look {
    struct sbx_feature feature[SBX_FEATURES_MAX + SBX_TRIALS_MAX];
    size_t count;
    struct sbx_lacks lacks;
    struct sbx_machine machine; /* points into lacks */
    char platform[128];         /* what told its platform */
};
void sbx_unjailed_look(const struct sbx_paths *paths, struct sbx_look *look);

/* Does managed policy, with the files of the account and its groups, let it in without a jail? False
 * too where those cannot be read: then its logins are refused. */
bool sbx_unjailed_account(const struct sbx_paths *paths, const struct sbx_confined_account *account,
                          const struct sbx_machine *machine, struct sbx_exempt *out);

#endif
