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

/* The nearest of the directories above the path that is there, opened in the same way. */
int sbx_open_above(int root_fd, const char *path);

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

struct sbx_opener_spec {
    const struct sbx_credentials *who;
    int host_root_fd, new_root_fd; /* stay the caller's; the child keeps its own copies */
    /* Work of another kind for the same child, at sbx_opener_ask(): writes what it has to say, packet by
     * packet, to the socket. May be NULL. */
    void (*work)(void *data, int socket_fd);
    void *data;
};

/* Forks the child. Ended by sbx_opener_stop(), and by itself when its socket closes. */
int sbx_opener_start(struct sbx_opener *opener, const struct sbx_opener_spec *spec,
                     struct sbx_err *err) SBX_MUST_CHECK;

/* One path, opened as the account on the host and in the new root: each a descriptor (the caller's),
 * or -1 and why. Both at once, since waking the child for each would take most of the time. */
struct sbx_opened {
    int host_fd, new_fd;
    int host_errno, new_errno;
};

void sbx_opener_open(const struct sbx_opener *opener, const char *path, struct sbx_opened *opened);

/* Has the child do its spec's work; the answers are read from opener->socket. */
int sbx_opener_ask(const struct sbx_opener *opener);

/* Closes the socket, at which the child ends. */
void sbx_opener_dismiss(struct sbx_opener *opener);

/* The same, and waits for its end. */
void sbx_opener_stop(struct sbx_opener *opener);

#endif
