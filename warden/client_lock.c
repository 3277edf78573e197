/* One starter at a time for each jail. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "warden/client_parts.h"

/* The name goes first, while the lock is held: who waits on this file sees that it has no name any
 * more, and starts over with the next one. */
void sbx_lock_release(struct sbx_lock *lock)
{
    if (lock->fd < 0)
        return;
    (void)unlinkat(lock->jails_fd, lock->name, 0);
    sbx_cleanup_fd(&lock->fd);
    lock->fd = -1;
}

static bool lock_is_current(const struct sbx_lock *lock, int fd)
{
    struct stat held, named;
    return !fstat(fd, &held) && !fstatat(lock->jails_fd, lock->name, &named, AT_SYMLINK_NOFOLLOW) &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

int sbx_lock_take(struct sbx_lock *lock, const char *jail, int wait_ms, struct sbx_err *err)
{
    const struct sbx_deadline deadline = sbx_deadline_in(wait_ms);
    (void)snprintf(lock->name, sizeof(lock->name), "%s.lock", jail);
    for (;;) {
        _cleanup_fd_ int fd =
            openat(lock->jails_fd, lock->name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open %s", lock->name);
        int taken;
        while ((taken = flock(fd, LOCK_EX | LOCK_NB)) && (errno == EWOULDBLOCK || errno == EINTR))
            if (!sbx_deadline_nap(&deadline))
                return sbx_fail(err, SBX_E_SYSTEM, ETIMEDOUT, "another login holds %s", lock->name);
        if (taken)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot lock %s", lock->name);
        if (lock_is_current(lock, fd)) {
            lock->fd = sbx_steal_fd(&fd);
            return 0;
        }
        if (!sbx_deadline_left_ms(&deadline))
            return sbx_fail(err, SBX_E_SYSTEM, ETIMEDOUT, "cannot get hold of %s", lock->name);
    }
}
