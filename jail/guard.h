/* What a jail protects by a mount, and what the host may make or replace while the jail lives.
 *
 * A mount protects an object, not a name: when passwd, an editor or a configuration tool renames a new
 * file over a masked one, when a directory is made anew, when a daemon binds its socket again, the mask
 * goes with the old object in every mount namespace; and where nothing was when the view was made there
 * is no mask at all. The warden watches the directories (warden/watch.c) and mounts again here. In
 * between what is new is seen. */
#ifndef SBX_JAIL_GUARD_H
#define SBX_JAIL_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/err.h"

enum sbx_guard_kind {
    SBX_GUARD_MASK = 'm',   /* unreadable */
    SBX_GUARD_SOCKET = 's', /* the same, for sockets and FIFOs alone */
    SBX_GUARD_OPENED =
        'o', /* a masked directory with something open below: not masked a second time */
    SBX_GUARD_FREEZE = 'r', /* read-only */
    SBX_GUARD_COVER = 'c',  /* another file in its place: passwd, group */
};

/* What a name stands for. The number alone is given again to the next file as soon as one is removed;
 * the time of birth tells them apart where the file system gives numbers again. */
struct sbx_object {
    uint64_t device, number; /* 0, 0: nothing is there */
    int64_t born;            /* nanoseconds; 0: not known */
};

/* One of them, as the builder tells it to the warden. */
struct sbx_guard {
    enum sbx_guard_kind kind;
    struct sbx_object object; /* what was covered when the view was made */
    const char *path;
};

/* False where fd is none or cannot be looked at; then *object is nothing. */
bool sbx_object_of(int fd, struct sbx_object *object);
bool sbx_object_is(const struct sbx_object *a, const struct sbx_object *b);

/* Puts one mount back in the jail of the init behind the pidfd, over the guard's object, which was seen
 * at its path on the host. `cover_file` and `cover_dir` are the host's paths of what is bound there,
 * whichever is of its kind (of FREEZE: unused; of COVER the file alone). Where something else is found
 * (the account may swap names all the time), nothing, or a mount that is there already, all is left as
 * it is and *is_done is false: the object is to be looked at again. Of OPENED always an error. Runs as
 * root in the warden; forks a child that enters the jail's mount namespace and executes nothing there. */
int sbx_guard_restore(int init_pidfd, const struct sbx_guard *guard, const char *cover_file,
                      const char *cover_dir, bool *is_done, struct sbx_err *err) SBX_MUST_CHECK;

#endif
