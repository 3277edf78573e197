/* The session's folder, /run/sbx/session: what root wrote for those inside. Nothing in it is trusted
 * before it is seen to be root's, on the open descriptor. */
#ifndef SBX_JAIL_SESSIONDIR_H
#define SBX_JAIL_SESSIONDIR_H

#include <stddef.h>
#include <sys/types.h>

#include "policy/err.h"

#define SBX_SESSION_DIR "/run/sbx/session" /* as seen in the jail: always this name */

struct sbx_sessiondir {
    int fd;    /* owned by whoever opened it; -1: none */
    dev_t dev; /* its mount: files of it lie on no other */
};

/* The folder MUST be a directory of root's that others cannot write, on a mount that is read-only
 * here. */
int sbx_sessiondir_open(struct sbx_sessiondir *session, struct sbx_err *err) SBX_MUST_CHECK;

/* Opens a file of the folder for reading: regular, root's, not writable by others, on that mount, of at
 * most max_bytes. Returns the descriptor (the caller closes) and its size; -1 with *err. */
int sbx_sessiondir_file(const struct sbx_sessiondir *session, const char *name, size_t max_bytes,
                        size_t *size, struct sbx_err *err) SBX_MUST_CHECK;

/* The soft limit of RLIMIT_LOCKS in a session whose first shell has come by: the limit bounds nothing since
 * Linux 2.4.25, and is handed down like every limit, by no environment and no command. The join takes it
 * away, whatever the login program's own was. */
#define SBX_SESSION_MARK 0x5358

/* --- seal.c --------------------------------------------------------------------------------------
 * The second pair of walls: the session's Landlock envelope, then its allow list of system calls, then
 * proof that the list answers. For this thread and all that it starts; no way back. Needs no_new_privs.
 * Kernels that lack Landlock go without the envelope: the warden has said so. */
int sbx_sessiondir_seal(const struct sbx_sessiondir *session, struct sbx_err *err) SBX_MUST_CHECK;

#endif
