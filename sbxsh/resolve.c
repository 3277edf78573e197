/* Where a path leads, asked of the kernel itself: an O_PATH descriptor of the longest part that
 * exists, and the name the kernel has for it. Nothing is opened for reading, no FIFO blocks, no
 * automount is triggered; links, "..", /proc/self/root come out as they would for bash. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "sbxsh/sbxsh.h"

#define MAX_LINKS 40

/* The kernel's name for an open descriptor. */
static int name_of(int fd, char *out, size_t size)
{
    char link[32];
    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t len = readlink(link, out, size - 1);
    if (len <= 0 || (size_t)len >= size - 1 || out[0] != '/')
        return -1;
    out[len] = '\0';
    static const char gone[] = " (deleted)";
    size_t tail = sizeof(gone) - 1;
    return (size_t)len > tail && !strcmp(out + len - tail, gone) ? -1 : 0;
}

/* Puts the target of a dangling link in place of the link: writing through it makes the target. */
static int follow_link(char *path, size_t cut, const char *rest)
{
    char target[SBXSH_PATH_BYTES], next[SBXSH_PATH_BYTES];
    ssize_t len = readlink(path, target, sizeof(target) - 1);
    if (len <= 0)
        return -1;
    target[len] = '\0';
    int put = target[0] == '/'
                  ? snprintf(next, sizeof(next), "%s%s", target, rest)
                  : snprintf(next, sizeof(next), "%.*s/%s%s", (int)cut, path, target, rest);
    if (put < 0 || (size_t)put >= sizeof(next))
        return -1;
    memcpy(path, next, (size_t)put + 1);
    return 0;
}

static int add_rest(char *out, size_t size, const char *rest)
{
    size_t used = strcmp(out, "/") || !*rest ? strlen(out) : 0; /* the rest has its slash */
    size_t len = strlen(rest);
    if (len >= size - used)
        return -1;
    memcpy(out + used, rest, len + 1);
    return 0;
}

/* One attempt: the longest part of path that exists, by name, and the rest behind it. Returns 1
 * where a link was followed and another attempt is due. */
static int attempt(char *path, char *out, size_t size)
{
    char part[SBXSH_PATH_BYTES];
    size_t len = strlen(path), cut = len;
    memcpy(part, path, len + 1);
    for (;;) {
        _cleanup_fd_ int fd = openat(AT_FDCWD, *part ? part : "/", O_PATH | O_CLOEXEC);
        if (fd >= 0)
            return name_of(fd, out, size) ? -1 : add_rest(out, size, path + cut);
        if (errno != ENOENT && errno != EACCES && errno != ENOTDIR)
            return -1;
        char *slash = strrchr(part, '/');
        if (!slash)
            return -1;
        size_t parent = (size_t)(slash - part);
        if (slash[1] && readlink(part, out, 1) >= 0) { /* a link that leads nowhere yet */
            char rest[SBXSH_PATH_BYTES];
            memcpy(rest, path + cut, len - cut + 1);
            path[cut] = '\0';
            return follow_link(path, parent, rest) ? -1 : 1;
        }
        *slash = '\0';
        cut = parent;
    }
}

bool sbxsh_is_absent(void *data, const char *path)
{
    struct stat st;
    (void)data;
    return lstat(path, &st) && (errno == ENOENT || errno == ENOTDIR);
}

int sbxsh_resolve(void *data, const char *path, char *out, size_t size)
{
    (void)data;
    char work[SBXSH_PATH_BYTES];
    size_t len = strlen(path);
    if (path[0] != '/' || len >= sizeof(work) || size < 2)
        return -1;
    memcpy(work, path, len + 1);
    for (int links = 0; links < MAX_LINKS; links++) {
        int result = attempt(work, out, size);
        if (result <= 0)
            return result;
    }
    return -1;
}
