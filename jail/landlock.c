#include "jail/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/sys.h"
#include "policy/cleanup.h"

/* include/uapi/linux/landlock.h, spelled out: headers are older than kernels. */
#define FS_EXECUTE      (1ull << 0)
#define FS_WRITE_FILE   (1ull << 1)
#define FS_READ_FILE    (1ull << 2)
#define FS_READ_DIR     (1ull << 3)
#define FS_MAKE_SYM     (1ull << 12)
#define FS_REFER        (1ull << 13)
#define FS_TRUNCATE     (1ull << 14)
#define FS_IOCTL_DEV    (1ull << 15)
#define FS_RESOLVE_UNIX (1ull << 16)

#define VERSION_FLAG       1u
#define RULE_PATH_BENEATH  1u
#define RESTRICT_LOG_EXECS 2u /* LOG_NEW_EXEC_ON: without it nothing is logged after an exec */
#define ABI_LOG            7

struct ruleset_attr {
    uint64_t handled_fs;
};

struct path_attr {
    uint64_t allowed;
    int32_t parent_fd;
} __attribute__((packed));

/* Rights that each ABI knows: one that the kernel does not know is an error there. */
static const struct {
    int abi;
    uint64_t rights;
} rights_by_abi[] = {
    {1, FS_MAKE_SYM | (FS_MAKE_SYM - 1)}, /* all from EXECUTE to MAKE_SYM */
    {2, FS_REFER                       },
    {3, FS_TRUNCATE                    },
    {5, FS_IOCTL_DEV                   },
    {9, FS_RESOLVE_UNIX                },
};

#define READING (FS_EXECUTE | FS_READ_FILE | FS_READ_DIR)
#define FILE_ONLY                                                                                  \
    (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV | FS_RESOLVE_UNIX)
#define EVERYTHING (~0ull)

/* What every session has, whatever the policy. The view of the mounts makes the difference below
 * /dev and /proc: harmless nodes only, masked and read-only parts. */
static const struct {
    const char *path;
    uint64_t rights;
} fixed[] = {
    {"/",                READING                                   },
    {"/dev",             FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV},
    {"/proc",            FS_WRITE_FILE | FS_TRUNCATE               },
    {"/run/sbx/session", FS_RESOLVE_UNIX                           },
};

int sbx_landlock_abi(void)
{
    int abi = sbx_sys_landlock_create_ruleset(NULL, 0, VERSION_FLAG);
    return abi > 0 ? abi : 0;
}

static uint64_t handled_rights(int abi)
{
    uint64_t rights = 0;
    for (size_t i = 0; i < sizeof(rights_by_abi) / sizeof(*rights_by_abi); i++)
        if (rights_by_abi[i].abi <= abi)
            rights |= rights_by_abi[i].rights;
    return rights;
}

/* The last part is not followed: a link that the account put there would widen its own wall. -1 with
 * errno; ELOOP for a link. */
static int open_for_rule(const char *path, bool *is_directory)
{
    int fd = openat(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *is_directory = fd >= 0;
    if (fd >= 0 || errno != ENOTDIR)
        return fd;
    _cleanup_fd_ int file = openat(AT_FDCWD, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (file < 0 || fstat(file, &st))
        return -1;
    if (S_ISLNK(st.st_mode)) {
        errno = ELOOP;
        return -1;
    }
    *is_directory = S_ISDIR(st.st_mode);
    return sbx_steal_fd(&file);
}

/* What a listed path opens wholly needs no narrower rule beside it. */
static bool is_listed(const char *path, const char *const *writable, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(path, writable[i]))
            return true;
    return false;
}

static int add_path(int ruleset_fd, const char *path, uint64_t rights, struct sbx_err *err)
{
    bool is_directory = true;
    _cleanup_fd_ int fd = open_for_rule(path, &is_directory);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP))
        return 0; /* nothing there that could be written */
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot look at %s", path);
    if (!is_directory)
        rights &= FILE_ONLY; /* the kernel refuses rights of directories on a file */
    if (!rights)
        return 0;
    struct path_attr attr = {.allowed = rights, .parent_fd = fd};
    if (sbx_sys_landlock_add_rule(ruleset_fd, RULE_PATH_BENEATH, &attr))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot add a Landlock rule for %s", path);
    return 0;
}

static int add_paths(int ruleset_fd, uint64_t handled, const char *const *writable, size_t count,
                     struct sbx_err *err)
{
    for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
        if (!is_listed(fixed[i].path, writable, count) &&
            add_path(ruleset_fd, fixed[i].path, fixed[i].rights & handled, err))
            return -1;
    static const char unix_mark[] = SBX_LANDLOCK_UNIX;
    for (size_t i = 0; i < count; i++) {
        const char *path = writable[i];
        uint64_t rights = EVERYTHING;
        if (!strncmp(path, unix_mark, sizeof(unix_mark) - 1)) {
            path += sizeof(unix_mark) - 1;
            rights = FS_RESOLVE_UNIX;
        }
        if (path[0] != '/')
            return sbx_fail(err, SBX_E_USAGE, 0, "not an absolute path: %s", path);
        if (add_path(ruleset_fd, path, rights & handled, err))
            return -1;
    }
    return 0;
}

int sbx_landlock_seal(const char *const *writable, size_t count, struct sbx_err *err)
{
    int abi = sbx_landlock_abi();
    if (abi < 2) /* ABI 1 forbids every rename between directories */
        return sbx_fail(err, SBX_E_UNSUPPORTED, 0, "Landlock ABI %d is too old", abi);
    const struct ruleset_attr attr = {.handled_fs = handled_rights(abi)};
    _cleanup_fd_ int fd = sbx_sys_landlock_create_ruleset(&attr, sizeof(attr), 0);
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a Landlock ruleset");
    if (add_paths(fd, attr.handled_fs, writable, count, err))
        return -1;
    if (sbx_sys_landlock_restrict_self(fd, abi >= ABI_LOG ? RESTRICT_LOG_EXECS : 0))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot enter the Landlock domain");
    return 0;
}
