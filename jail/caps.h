/* Capabilities, by libcap-ng. */
#ifndef SBX_JAIL_CAPS_H
#define SBX_JAIL_CAPS_H

#include <sys/types.h>

#include "policy/err.h"

/* Empties the bounding and ambient sets of this thread and reads them back; keeps the effective
 * ones, which the caller still needs to change its uid. capabilities(7). */
int sbx_caps_drop_bounding(struct sbx_err *err) SBX_MUST_CHECK;

/* Becomes uid:gid with exactly these supplementary groups and no capability at all, bounding set
 * included, and makes sure that there is no way back to 0. Runs as root in a helper or child. */
int sbx_caps_become(uid_t uid, gid_t gid, const gid_t *groups, size_t group_count,
                    struct sbx_err *err) SBX_MUST_CHECK;

/* The same for a child that executes nothing. It gets no_new_privs and keeps its bounding set, which
 * counts at execve(2) alone and takes more than a hundred system calls to empty. */
int sbx_caps_become_reader(uid_t uid, gid_t gid, const gid_t *groups, size_t group_count,
                           struct sbx_err *err) SBX_MUST_CHECK;

#endif
