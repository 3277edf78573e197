/* Files by other ways than their path, and modes that gain privilege. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tests/system/tools/attack.h"

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static int show(int fd)
{
    char text[4096];
    ssize_t got = read(fd, text, sizeof(text));
    return got <= 0 ? refused("read") : outcome(write(STDOUT_FILENO, text, (size_t)got), "write");
}

/* Opens inode NUMBER of the file system that PATH is on, without any name leading there: how
 * "shocker" left containers. */
static int trick_handle(char **arguments)
{
    struct {
        struct file_handle head;
        uint32_t words[2];
    } handle = {
        .head = {.handle_bytes = 8, .handle_type = 1 /* inode, generation */}
    };
    int mount_fd = open(arguments[0], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (mount_fd < 0)
        return refused(arguments[0]);
    handle.words[0] = (uint32_t)strtoul(arguments[1], NULL, 10);
    handle.words[1] = (uint32_t)strtoul(arguments[2], NULL, 10);
    int fd = open_by_handle_at(mount_fd, &handle.head, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? refused("open_by_handle_at") : show(fd);
}

/* Prints the generation that trick_handle needs; runs outside. */
static int trick_generation(char **arguments)
{
    struct {
        struct file_handle head;
        uint32_t words[8];
    } handle = {.head = {.handle_bytes = sizeof(handle.words)}};
    int mount_id;
    if (name_to_handle_at(AT_FDCWD, arguments[0], &handle.head, &mount_id, 0))
        return refused("name_to_handle_at");
    (void)printf("%u\n", handle.words[1]);
    return handle.head.handle_type == 1 ? 0 : 1;
}

static int mode_of(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return refused(path);
    return st.st_mode & (S_ISUID | S_ISGID) ? 0 : 1;
}

static int trick_setid(char **arguments) /* WAY PATH: the file is there after it, with the bit */
{
    const char *way = arguments[0], *path = arguments[1];
    long result = -1;
    int fd = -1;
    errno = EINVAL;
    if (!strncmp(way, "f", 1) && (fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0755)) < 0)
        return refused(path);
    if (!strcmp(way, "chmod"))
        result = chmod(path, 04755);
    else if (!strcmp(way, "fchmod"))
        result = fchmod(fd, 04755);
    else if (!strcmp(way, "fchmodat2"))
        result = syscall(SYS_fchmodat2, AT_FDCWD, path, 04755, 0);
    else if (!strcmp(way, "open"))
        result = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 04755);
    else if (!strcmp(way, "creat"))
        result = syscall(SYS_creat, path, 02755);
    else if (!strcmp(way, "mkdir"))
        result = mkdir(path, 02777);
    else if (!strcmp(way, "mknod"))
        result = mknod(path, S_IFREG | 04755, 0);
    else if (!strcmp(way, "openat2")) {
        uint64_t how[3] = {O_WRONLY | O_CREAT | O_CLOEXEC, 04755, 0};
        result = syscall(SYS_openat2, AT_FDCWD, path, how, sizeof(how));
    } else if (!strcmp(way, "high")) /* bits above the 16 that the kernel looks at */
        result = syscall(SYS_chmod, path, 0xffff000000000000ul | 04755);
    if (fd >= 0)
        (void)close(fd);
    return result < 0 ? refused(way) : mode_of(path);
}

/* An unnamed file with the bit, given its name afterwards. */
static int trick_tmpfile(char **arguments) /* DIRECTORY PATH */
{
    char link[64];
    int fd = open(arguments[0], O_TMPFILE | O_RDWR | O_CLOEXEC, 04755);
    if (fd < 0)
        return refused("O_TMPFILE");
    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    if (linkat(AT_FDCWD, link, AT_FDCWD, arguments[1], AT_SYMLINK_FOLLOW))
        return refused("linkat");
    return mode_of(arguments[1]);
}

/* cap_net_raw+ep as a file capability. */
static int trick_filecap(char **arguments)
{
    const uint32_t value[5] = {0x02000001, 1u << 13, 0, 0, 0};
    return outcome(setxattr(arguments[0], "security.capability", value, sizeof(value), 0),
                   "setxattr");
}

static int trick_mknod(char **arguments) /* PATH b|c MAJOR MINOR */
{
    mode_t type = arguments[1][0] == 'b' ? S_IFBLK : S_IFCHR;
    dev_t device = ((dev_t)strtoul(arguments[2], NULL, 10) << 8) | strtoul(arguments[3], NULL, 10);
    return outcome(mknod(arguments[0], type | 0666, device), "mknod");
}

/* Keeps trying both while somebody renames: one of the two is another file in between. */
static int trick_exchange(char **arguments) /* A B */
{
    return outcome(syscall(SYS_renameat2, AT_FDCWD, arguments[0], AT_FDCWD, arguments[1],
                           2 /* RENAME_EXCHANGE */),
                   "renameat2");
}

/* Links an open descriptor back into the tree under another name. */
static int trick_link_fd(char **arguments) /* FROM TO */
{
    char link[64];
    int fd = open(arguments[0], O_PATH | O_CLOEXEC);
    if (fd < 0)
        return refused(arguments[0]);
    if (!linkat(fd, "", AT_FDCWD, arguments[1], AT_EMPTY_PATH))
        return 0;
    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    return outcome(linkat(AT_FDCWD, link, AT_FDCWD, arguments[1], AT_SYMLINK_FOLLOW), "linkat");
}

/* Makes a writable mapping of what was opened for reading only. */
static int trick_map(char **arguments) /* PATH TEXT */
{
    int fd = open(arguments[0], O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return refused(arguments[0]);
    char *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED || mprotect(map, 4096, PROT_READ | PROT_WRITE))
        return refused("mprotect");
    memcpy(map, arguments[1], strlen(arguments[1]));
    return outcome(msync(map, 4096, MS_SYNC), "msync");
}

static int trick_truncate(char **arguments)
{
    return outcome(truncate(arguments[0], 0), "truncate");
}

/* Immutable: root's own clean-up would fail on it. */
static int trick_immutable(char **arguments)
{
    int flags = 0x10 /* FS_IMMUTABLE_FL */, fd = open(arguments[0], O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return refused(arguments[0]);
    return outcome(ioctl(fd, _IOW('f', 2, long), &flags), "FS_IOC_SETFLAGS");
}

const struct trick file_tricks[] = {
    {"handle",     3, trick_handle    },
    {"generation", 1, trick_generation},
    {"setid",      2, trick_setid     },
    {"tmpfile",    2, trick_tmpfile   },
    {"filecap",    1, trick_filecap   },
    {"mknod",      4, trick_mknod     },
    {"exchange",   2, trick_exchange  },
    {"link-fd",    2, trick_link_fd   },
    {"map",        2, trick_map       },
    {"truncate",   1, trick_truncate  },
    {"immutable",  1, trick_immutable },
    {NULL,         0, NULL            },
};
