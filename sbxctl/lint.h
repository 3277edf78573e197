/* What the parts of `sbxctl policy lint` share. */
#ifndef SBX_SBXCTL_LINT_H
#define SBX_SBXCTL_LINT_H

#include "policy/policy.h"

struct json_object;

struct sbx_lint {
    const struct sbx_policy *policy;
    unsigned count;
    struct json_object *findings; /* array, or NULL: printed as they come */
};

/* origin NULL: of no place. */
void sbx_lint_find(struct sbx_lint *lint, const struct sbx_origin *origin, const char *fmt, ...)
    SBX_PRINTF(3, 4);

/* Permission rules that allow too much, say the same twice, or never decide. 0, or an exit status. */
int sbx_lint_rules(struct sbx_lint *lint);

#endif
