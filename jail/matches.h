/* Plans the protection of what the policy's globs match, as seen by the account. */
#ifndef SBX_JAIL_MATCHES_H
#define SBX_JAIL_MATCHES_H

#include "jail/view.h"

/* Forks a child with the account's credentials that walks the host's tree (and another as root, where
 * the account closed directories of its own), and adds a step for each path it finds. What the child says is bounded and can only make more unreadable or read-only. */
int sbx_matches_plan(struct sbx_plan *plan, const struct sbx_view_input *input, int host_root_fd,
                     struct sbx_err *err) SBX_MUST_CHECK;

#endif
