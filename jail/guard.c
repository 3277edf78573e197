#include "jail/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/mount.h"
#include "jail/open.h"
#include "jail/sys.h"
#include "policy/cleanup.h"

bool sbx_object_of(int fd, struct sbx_object *object)
{
    struct statx stx;
    *object = (struct sbx_object){0};
    if (fd < 0 || statx(fd, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, STATX_INO | STATX_BTIME, &stx))
        return false;
    object->device = (uint64_t)stx.stx_dev_major << 32 | stx.stx_dev_minor;
    object->number = stx.stx_ino;
    if (stx.stx_mask & STATX_BTIME)
        object->born = stx.stx_btime.tv_sec * 1000000000 + stx.stx_btime.tv_nsec;
    return true;
}

bool sbx_object_is(const struct sbx_object *a, const struct sbx_object *b)
{
    return a->device == b->device && a->number == b->number && a->born == b->born;
}

/* With all that is mounted below: a mask there would be uncovered. */
static int copy_read_only(int fd)
{
    return sbx_mount_copy(fd, SBX_MOUNT_ATTR_RDONLY | SBX_MOUNT_ATTR_NOSUID | SBX_MOUNT_ATTR_NODEV,
                          SBX_AT_RECURSIVE);
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

struct covers {
    int file, dir; /* detached copies, or -1 */
};

static int copy_cover(const char *path, int *tree, struct sbx_err *err)
{
    _cleanup_fd_ int source = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    *tree = source < 0 ? -1 : copy_read_only(source);
    return *tree < 0 ? sbx_fail(err, SBX_E_MOUNT, errno, "cannot copy %s", path) : 0;
}

/* Exit statuses of the child; above them 0x80 and an errno. */
enum { RESTORED = 0, LEFT_ALONE = 1 };

static int failed(void)
{
    return (errno & 0x7f) | 0x80;
}

/* In the child. The covers were copied in the warden's namespace, the rest happens in the jail's. */
static int restore_inside(int init_pidfd, const struct sbx_guard *guard,
                          const struct covers *covers)
{
    struct stat st;
    struct sbx_object object;
    if (setns(init_pidfd, CLONE_NEWNS))
        return failed();
    _cleanup_fd_ int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    _cleanup_fd_ int place = root < 0 ? -1 : sbx_open_walk(root, guard->path);
    if (place < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? LEFT_ALONE : failed();
    if (fstat(place, &st) || !sbx_object_of(place, &object))
        return failed();
    if (is_mount_point(place) || !sbx_object_is(&object, &guard->object))
        return LEFT_ALONE;
    if (guard->kind == SBX_GUARD_SOCKET && !S_ISSOCK(st.st_mode) && !S_ISFIFO(st.st_mode))
        return RESTORED;
    bool freezes = guard->kind == SBX_GUARD_FREEZE;
    _cleanup_fd_ int own = freezes ? copy_read_only(place) : -1;
    int tree = freezes ? own : S_ISDIR(st.st_mode) ? covers->dir : covers->file;
    return tree < 0 || sbx_mount_attach(tree, place) ? failed() : RESTORED;
}

int sbx_guard_restore(int init_pidfd, const struct sbx_guard *guard, const char *cover_file,
                      const char *cover_dir, bool *is_done, struct sbx_err *err)
{
    const char *path = guard->path;
    *is_done = false;
    if (guard->kind == SBX_GUARD_OPENED)
        return sbx_fail(err, SBX_E_MOUNT, 0, "%s was made anew; below it something is open", path);
    struct covers covers = {-1, -1};
    _cleanup_fd_ int file = -1, dir = -1;
    if (guard->kind != SBX_GUARD_FREEZE && copy_cover(cover_file, &file, err))
        return -1;
    if (guard->kind == SBX_GUARD_MASK && copy_cover(cover_dir, &dir, err))
        return -1;
    covers.file = file;
    covers.dir = dir;
    pid_t pid = fork();
    if (pid == 0)
        _exit(restore_inside(init_pidfd, guard, &covers));
    if (pid < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot fork to protect %s again", path);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot wait for the protection of %s", path);
    *is_done = WIFEXITED(status) && WEXITSTATUS(status) == RESTORED;
    if (*is_done || (WIFEXITED(status) && WEXITSTATUS(status) == LEFT_ALONE))
        return 0;
    return sbx_fail(err, SBX_E_MOUNT, WIFEXITED(status) ? WEXITSTATUS(status) & 0x7f : 0,
                    "cannot protect %s again", path);
}
