/* What is in force, printed: for `sbxctl policy show`. */
#ifndef SBX_SBXCTL_SHOW_H
#define SBX_SBXCTL_SHOW_H

#include "policy/config.h"

/* Every key with its effective value, scope, place and lock; then the path rules and the rules. */
void sbx_show_text(const struct sbx_policy *policy, const struct sbx_config *config);
void sbx_show_json(const struct sbx_policy *policy, const struct sbx_config *config);

#endif
