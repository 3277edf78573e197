/* Opening paths that belong to the account, without trusting them.
 *
 * A child with the account's full credentials (uid, gid, supplementary groups, no capability) does
 * the opening: root never walks a path that the account can change, NFS homes with root squash and
 * FUSE homes work, and automounts fire. It hands O_PATH descriptors back. */
#ifndef SBX_JAIL_OPEN_H
#define SBX_JAIL_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "policy/err.h"

/* Walks an absolute path below root_fd (a directory; "/" of the host or of the new root) component by
 * component. Symbolic links are followed only where link and directory are both root's and writable
 * by nobody else; any other link is ELOOP. Returns an O_PATH descriptor (owned by the caller), or
 * -1 with errno. `path` may be hostile. */
int sbx_open_walk(int root_fd, const char *path);

struct sbx_opener {
    pid_t pid;
    int socket;
};

struct sbx_credentials {
    uid_t uid;
    gid_t gid;
    const gid_t *groups;
    size_t group_count;
};

/* Forks the child. Both descriptors stay the caller's; the child keeps its own copies. Ended by
 * sbx_opener_stop(), and by itself when its socket closes. */
int sbx_opener_start(struct sbx_opener *opener, const struct sbx_credentials *who, int host_root_fd,
                     int new_root_fd, struct sbx_err *err) SBX_MUST_CHECK;

/* Opens a path as the account: on the host, or in the new root. -1 with errno. */
int sbx_opener_open(const struct sbx_opener *opener, bool in_new_root, const char *path);

void sbx_opener_stop(struct sbx_opener *opener);

#endif
