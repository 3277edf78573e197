/* Mounts by descriptor: mount_setattr(2), open_tree(2), move_mount(2). Names are none of their business. */
#ifndef SBX_JAIL_MOUNT_H
#define SBX_JAIL_MOUNT_H

#include <stdint.h>

/* All return -1 with errno on failure. `recursive` is SBX_AT_RECURSIVE or 0. */

/* Sets these attributes on the mount at fd, and makes it private. */
int sbx_mount_set(int fd, uint64_t attributes, unsigned recursive);
/* A private, detached copy of what is mounted at fd, with these attributes: owned by the caller. */
int sbx_mount_copy(int fd, uint64_t attributes, unsigned recursive);
int sbx_mount_attach(int mount_fd, int target_fd);

#endif
