/* The second wall: a Landlock ruleset around everything a session could ever be granted.
 *
 * ABI 2 or later, no scopes (landlock(7)). The view of the mount namespace is the first wall. */
#ifndef SBX_JAIL_LANDLOCK_H
#define SBX_JAIL_LANDLOCK_H

#include <stddef.h>

#include "policy/err.h"

/* The kernel's ABI, 0 where Landlock is absent or switched off. */
int sbx_landlock_abi(void);

/* Restricts this thread: reading and executing everywhere below /, writing (with REFER, TRUNCATE,
 * IOCTL_DEV as the ABI has them) only below `writable`; paths that do not exist are left out.
 * Rule descriptors are opened here, with the caller's rights, inside the jail. Needs no_new_privs.
 * From ABI 7 on denials are logged across exec. */
int sbx_landlock_seal(const char *const *writable, size_t count,
                      struct sbx_err *err) SBX_MUST_CHECK;

#endif
