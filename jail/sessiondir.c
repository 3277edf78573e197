#include "jail/sessiondir.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "policy/cleanup.h"

#define ST_RDONLY_FLAG 0x1 /* of statfs.f_flags */

int sbx_sessiondir_open(struct sbx_sessiondir *session, struct sbx_err *err)
{
    *session = (struct sbx_sessiondir){.fd = -1};
    _cleanup_fd_ int fd =
        openat(AT_FDCWD, SBX_SESSION_DIR, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    struct statfs fs;
    if (fd < 0 || fstat(fd, &st) || fstatfs(fd, &fs))
        return sbx_fail(err, SBX_E_TRUST, errno, "cannot open the session's folder");
    if (st.st_uid != 0 || (st.st_mode & 022) || !((unsigned long)fs.f_flags & ST_RDONLY_FLAG))
        return sbx_fail(err, SBX_E_TRUST, 0, "the session's folder is not root's alone");
    session->dev = st.st_dev;
    session->fd = sbx_steal_fd(&fd);
    return 0;
}

int sbx_sessiondir_file(const struct sbx_sessiondir *session, const char *name, size_t max_bytes,
                        size_t *size, struct sbx_err *err)
{
    _cleanup_fd_ int fd =
        openat(session->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st))
        return sbx_fail(err, SBX_E_TRUST, errno, "cannot open the session's %s", name);
    if (!S_ISREG(st.st_mode) || st.st_uid != 0 || (st.st_mode & 022) || st.st_dev != session->dev)
        return sbx_fail(err, SBX_E_TRUST, 0, "the session's %s is not root's alone", name);
    if (st.st_size < 0 || (size_t)st.st_size > max_bytes)
        return sbx_fail(err, SBX_E_LIMIT, 0, "the session's %s is too large", name);
    *size = (size_t)st.st_size;
    return sbx_steal_fd(&fd);
}
