#include "jail/root.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/sys.h"
#include "policy/cleanup.h"

/* The number of the mount as well: a root that is bound elsewhere is the same file. */
#define WANTED (STATX_INO | STATX_MNT_ID)

static int look(struct statx *out, struct sbx_err *err)
{
    if (statx(AT_FDCWD, "/", 0, WANTED, out) || (out->stx_mask & WANTED) != WANTED)
        return sbx_fail(err, SBX_E_MOUNT, errno, "cannot look at the root");
    return 0;
}

int sbx_root_verify(struct sbx_err *err)
{
    struct statx here, there;
    _cleanup_fd_ int self = sbx_sys_pidfd_open(getpid(), 0);
    if (self < 0 || look(&here, err))
        return self < 0 ? sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open this process") : -1;
    if (setns(self, CLONE_NEWNS))
        return sbx_fail(err, SBX_E_MOUNT, errno, "cannot go to the mount namespace's root");
    if (look(&there, err))
        return -1;
    if (here.stx_mnt_id != there.stx_mnt_id || here.stx_ino != there.stx_ino)
        return sbx_fail(
            err, SBX_E_UNSUPPORTED, 0,
            "sbx runs in a chroot, and a jail made there does not hold: use a container, or "
            "pivot_root into the directory");
    return 0;
}
