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

#endif
