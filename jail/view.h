/* Carries out a plan: makes the new root and everything on it, and moves into it.
 *
 * Runs as root as pid 1 of the new namespaces, before anything of the account's has run there. What
 * is hostile: everything below the account's home and writable trees, which may change at any time;
 * it is opened by a child with the account's credentials and compared by device and inode. On
 * failure the process ends, and the kernel undoes all of it with the mount namespace. */
#ifndef SBX_JAIL_VIEW_H
#define SBX_JAIL_VIEW_H

#include "jail/guard.h"
#include "jail/open.h"
#include "jail/plan.h"

struct sbx_view_input {
    const struct sbx_plan *plan;
    const struct sbx_policy *policy; /* whose globs are looked up when the plan is done */
    struct sbx_credentials account;
    const char *account_name;
    /* Opened in the new mount namespace, since only its own mounts can be copied or covered there. */
    int stage_fd;    /* an empty directory of the host to put the new root on */
    int mask_dir_fd; /* a directory and a file, both root's and of mode 0 */
    int mask_file_fd;
    void (*note)(void *data, const char *message); /* what was left out, for the log */
    /* What a mount protects, or would if it were there, and the host can make anew. */
    void (*guard)(void *data, const struct sbx_guard *guard);
    void *data;
};

/* Builds the view and pivots into it; the host's root is gone afterwards, and that is checked. */
int sbx_view_enter(const struct sbx_view_input *input, struct sbx_err *err) SBX_MUST_CHECK;

#endif
