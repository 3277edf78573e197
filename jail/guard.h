/* Files that a jail protects by a mount, and that the host may replace.
 *
 * A mount protects an object, not a name: when passwd, an editor or a configuration tool renames a new
 * file over a masked one, the mask goes with the old file in every mount namespace. The warden watches
 * the directories (warden/watch.c) and puts the mount back here. In between the new file is seen;
 * a denied directory has no such gap. */
#ifndef SBX_JAIL_GUARD_H
#define SBX_JAIL_GUARD_H

#include "policy/err.h"

enum sbx_guard_kind {
    SBX_GUARD_MASK = 'm',   /* unreadable */
    SBX_GUARD_FREEZE = 'r', /* read-only */
    SBX_GUARD_COVER = 'c',  /* another file in its place: passwd, group */
};

/* Puts one mount back in the jail of the init behind the pidfd. `cover` is the host's path of the
 * file that is bound over `path` (the mask or the cover; NULL for FREEZE). Nothing at `path`, or a
 * mount that is there still: no error. Runs as root in the warden; forks a child that enters the
 * jail's mount namespace and executes nothing there. */
int sbx_guard_restore(int init_pidfd, enum sbx_guard_kind kind, const char *path, const char *cover,
                      struct sbx_err *err) SBX_MUST_CHECK;

#endif
