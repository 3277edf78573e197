#include "jail/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/open.h"
#include "jail/sys.h"
#include "policy/cleanup.h"

static int copy_read_only(int fd)
{
    const struct sbx_mount_attr attr = {.attr_set = SBX_MOUNT_ATTR_RDONLY | SBX_MOUNT_ATTR_NOSUID |
                                                    SBX_MOUNT_ATTR_NODEV,
                                        .propagation = MS_PRIVATE};
    _cleanup_fd_ int tree =
        sbx_sys_open_tree(fd, "", SBX_OPEN_TREE_CLONE | SBX_OPEN_TREE_CLOEXEC | AT_EMPTY_PATH);
    if (tree < 0 || sbx_sys_mount_setattr(tree, "", AT_EMPTY_PATH, &attr))
        return -1;
    return sbx_steal_fd(&tree);
}

/* Is the file at fd a mount of its own already? Then nothing was replaced. Told by the device and
 * mount id of it and of its directory: statx(2). */
static bool is_mount_point(int fd)
{
    struct statx stx;
    return !statx(fd, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, 0, &stx) &&
           stx.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT &&
           stx.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

/* In the child. The cover was copied in the warden's namespace, the rest happens in the jail's. */
static int restore_inside(int init_pidfd, const char *path, int cover)
{
    if (setns(init_pidfd, CLONE_NEWNS))
        return -1;
    _cleanup_fd_ int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    _cleanup_fd_ int place = root < 0 ? -1 : sbx_open_walk(root, path);
    if (place < 0)
        return errno == ENOENT ? 0 : -1;
    if (is_mount_point(place))
        return 0;
    _cleanup_fd_ int own = cover < 0 ? copy_read_only(place) : -1;
    int tree = cover < 0 ? own : cover;
    return tree < 0 ? -1
                    : sbx_sys_move_mount(tree, "", place, "",
                                         SBX_MOVE_MOUNT_F_EMPTY_PATH | SBX_MOVE_MOUNT_T_EMPTY_PATH);
}

int sbx_guard_restore(int init_pidfd, enum sbx_guard_kind kind, const char *path, const char *cover,
                      struct sbx_err *err)
{
    _cleanup_fd_ int source =
        kind == SBX_GUARD_FREEZE ? -1 : open(cover, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    _cleanup_fd_ int tree = source < 0 ? -1 : copy_read_only(source);
    if (kind != SBX_GUARD_FREEZE && tree < 0)
        return sbx_fail(err, SBX_E_MOUNT, errno, "cannot copy %s", cover);
    pid_t pid = fork();
    if (pid == 0)
        _exit(restore_inside(init_pidfd, path, tree) ? (errno & 0x7f) | 0x80 : 0);
    if (pid < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot fork to protect %s again", path);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot wait for the protection of %s", path);
    if (status)
        return sbx_fail(err, SBX_E_MOUNT, WIFEXITED(status) ? WEXITSTATUS(status) & 0x7f : 0,
                        "cannot protect %s again", path);
    return 0;
}
