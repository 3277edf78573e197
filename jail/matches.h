/* Plans the protection of what the policy's globs match, as seen by the account. */
#ifndef SBX_JAIL_MATCHES_H
#define SBX_JAIL_MATCHES_H

#include "jail/view.h"

/* The search in the opener's child, its `work`: walks the host's tree and tells what it finds. */
struct sbx_matches_search {
    const struct sbx_view_input *input;
    int host_root_fd;
};
void sbx_matches_search(void *search, int socket_fd);

/* Starts the search. The opener opens nothing more until sbx_matches_plan() has its answers. */
int sbx_matches_ask(const struct sbx_opener *opener, struct sbx_err *err) SBX_MUST_CHECK;

/* Waits for the search that was asked for (and does another as root, where the account closed
 * directories of its own), and adds a step for each path found. What the child says is bounded and can only make
 * more unreadable or read-only. */
int sbx_matches_plan(struct sbx_plan *plan, const struct sbx_matches_search *search,
                     const struct sbx_opener *opener, struct sbx_err *err) SBX_MUST_CHECK;

#endif
