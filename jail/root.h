/* The root of a process and that of its mount namespace: a chroot makes them two. */
#ifndef SBX_JAIL_ROOT_H
#define SBX_JAIL_ROOT_H

#include "policy/err.h"

/* Fails where "/" of this process is not the root of its mount namespace. setns(2) leads to the
 * latter, so in a chroot whoever joins a jail would stand outside of its view.
 * Runs as root: in the builder after it moved to the new root, and in a child of doctor's. Nothing
 * is read that others write. Moves the root and the working directory of the process to the
 * namespace's root, which changes nothing where it succeeds but the directory. */
int sbx_root_verify(struct sbx_err *err) SBX_MUST_CHECK;

#endif
