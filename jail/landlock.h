/* The second wall: a Landlock ruleset around everything a session could ever be granted.
 *
 * ABI 2 or later, no scopes (landlock(7)). The view of the mount namespace is the first wall. */
#ifndef SBX_JAIL_LANDLOCK_H
#define SBX_JAIL_LANDLOCK_H

#include <stddef.h>

#include "policy/err.h"

/* The kernel's ABI, 0 where Landlock is absent or switched off. */
int sbx_landlock_abi(void);

/* An entry of `writable` that begins with this opens a socket, or those below a directory, for
 * connecting and nothing else: "unix:/run/foo.sock", "unix:/". From ABI 9 on; before, any socket in
 * the view can be connected to. */
#define SBX_LANDLOCK_UNIX "unix:"

/* Restricts this thread: reading and executing everywhere below /, writing (with REFER, TRUNCATE,
 * IOCTL_DEV, RESOLVE_UNIX as the ABI has them) only below `writable`, to the nodes in /dev and to
 * files of /proc. Paths that do not exist or are symbolic links are left out; absolute ones only.
 * Rule descriptors are opened here, with the caller's rights, inside the jail. Needs no_new_privs.
 * From ABI 7 on denials are logged across exec. */
int sbx_landlock_seal(const char *const *writable, size_t count,
                      struct sbx_err *err) SBX_MUST_CHECK;

#endif
