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

struct sbx_mount_option {
    const char *key, *value; /* the last has no key */
};

/* A new file system of that type, mounted nowhere yet: fsopen, fsconfig, fsmount. Options may be NULL.
 * Returns the caller's descriptor, or -1 with errno. */
int sbx_mount_new(const char *type, const struct sbx_mount_option *options, uint64_t attributes);

#endif
