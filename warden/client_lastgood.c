/* sandbox.on_error = last-good: the policy that counts while the files have an error. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "warden/client.h"

#define KEPT_DIR       SBX_LIB_DIR "/last-good"
#define KEPT_MAX_BYTES ((off_t)16 * 1024 * 1024)

static void name_of(uid_t uid, char name[32])
{
    (void)snprintf(name, 32, "%u", (unsigned)uid);
}

static int write_all(int fd, const char *bytes, size_t len)
{
    while (len) {
        ssize_t n = write(fd, bytes, len);
        if (n <= 0)
            return -1;
        bytes += n;
        len -= (size_t)n;
    }
    return fsync(fd);
}

static int put(int dir_fd, const char *name, const void *bytes, size_t len)
{
    char temporary[64];
    (void)snprintf(temporary, sizeof(temporary), ".%s.%d", name, getpid());
    (void)unlinkat(dir_fd, temporary, 0);
    _cleanup_fd_ int fd =
        openat(dir_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0 && !write_all(fd, bytes, len) && !renameat(dir_fd, temporary, dir_fd, name))
        return 0;
    int saved = errno;
    (void)unlinkat(dir_fd, temporary, 0);
    errno = saved;
    return -1;
}

int sbx_lastgood_drop(const struct sbx_paths *paths, uid_t uid, struct sbx_err *err)
{
    char name[32];
    struct sbx_err absent;
    name_of(uid, name);
    _cleanup_fd_ int dir_fd = sbx_paths_open(paths, KEPT_DIR, 0, &absent);
    if (dir_fd >= 0 && unlinkat(dir_fd, name, 0) && errno != ENOENT)
        return sbx_fail(err, SBX_E_SYSTEM, errno,
                        "cannot remove the last good policy in " KEPT_DIR);
    return 0;
}

int sbx_lastgood_keep(const struct sbx_paths *paths, uid_t uid, const struct sbx_config *config,
                      struct sbx_err *err)
{
    char name[32];
    size_t len = 0;
    const void *bytes = sbx_config_kept(config, &len);
    if (!bytes)
        return sbx_lastgood_drop(paths, uid, err);
    name_of(uid, name);
    _cleanup_fd_ int dir_fd = sbx_paths_open(paths, KEPT_DIR, 0700, err);
    if (dir_fd < 0)
        return -1;
    if (put(dir_fd, name, bytes, len))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot keep the last good policy in " KEPT_DIR);
    return 0;
}

int sbx_lastgood_read(const struct sbx_paths *paths, uid_t uid, struct sbx_config *config,
                      struct sbx_err *err)
{
    char name[32];
    struct stat st;
    name_of(uid, name);
    _cleanup_fd_ int dir_fd = sbx_paths_open(paths, KEPT_DIR, 0, err);
    if (dir_fd < 0)
        return -1;
    _cleanup_fd_ int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st))
        return sbx_fail(err, SBX_E_GONE, errno, "there is no last good policy of uid %u",
                        (unsigned)uid);
    if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077 || st.st_size < 1 ||
        st.st_size > KEPT_MAX_BYTES)
        return sbx_fail(err, SBX_E_TRUST, 0, KEPT_DIR "/%s is not root's alone", name);
    size_t len = (size_t)st.st_size;
    _cleanup_free_ char *bytes = malloc(len);
    if (!bytes || read(fd, bytes, len) != (ssize_t)len)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read " KEPT_DIR "/%s", name);
    return sbx_config_read_kept(config, bytes, len, err);
}
