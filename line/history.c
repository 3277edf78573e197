#include "line/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"

#define NAME     "history"
#define NEW_NAME "history.new"

/* Opened anew each time, never through a link: another session may have put a shorter one there. */
static int open_file(int folder, const char *name, int flags)
{
    _cleanup_fd_ int fd =
        openat(folder, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid())
        return -1;
    if ((st.st_mode & 07777) != 0600 && fchmod(fd, 0600))
        return -1;
    return sbx_steal_fd(&fd);
}

int sbx_history_open(const char *home)
{
    static const char *const places[] = {".local/state", ".cache"};
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        char path[4096];
        int len = snprintf(path, sizeof(path), "%s/%s", home, places[i]);
        if (len < 0 || (size_t)len >= sizeof(path))
            continue;
        _cleanup_fd_ int place = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (place < 0 || (mkdirat(place, "sbx", 0700) && errno != EEXIST))
            continue;
        _cleanup_fd_ int folder =
            openat(place, "sbx", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        _cleanup_fd_ int file = folder < 0 ? -1 : open_file(folder, NAME, O_RDWR | O_CREAT);
        if (file >= 0)
            return sbx_steal_fd(&folder);
    }
    return -1;
}

bool sbx_history_keeps(const char *line)
{
    size_t len = strlen(line);
    if (!len || line[0] == ' ' || len > SBX_HISTORY_LINE_BYTES || line[strspn(line, " \t")] == '\0')
        return false;
    for (const char *at = line; *at; at++)
        if (((unsigned char)*at < ' ' && *at != '\t') || *at == 0x7f)
            return false;
    return true;
}

/* Where the part begins that is within the bounds: at most so many lines, so many bytes. */
static size_t begin_of_last(const char *bytes, size_t len, size_t max_bytes)
{
    size_t begin = len, lines = 0, line = len; /* line: where the one looked at begins */
    while (line && lines < SBX_HISTORY_LINES) {
        size_t at = line - 1; /* its newline, or its last byte where the file ends without one */
        while (at && bytes[at - 1] != '\n')
            at--;
        if (len - at > max_bytes)
            break;
        begin = line = at;
        lines++;
    }
    return begin;
}

/* The end of the file, at most twice its bound; the caller frees. */
static char *read_end(int fd, size_t *len)
{
    struct stat st;
    size_t room = 2 * SBX_HISTORY_FILE_BYTES;
    if (fstat(fd, &st) || st.st_size <= 0)
        return NULL;
    off_t from = st.st_size > (off_t)room ? st.st_size - (off_t)room : 0;
    char *bytes = malloc(room + 1);
    ssize_t got = bytes ? pread(fd, bytes, room, from) : -1;
    if (got <= 0) {
        free(bytes);
        return NULL;
    }
    *len = (size_t)got;
    bytes[got] = '\0';
    return bytes;
}

static void replace(int folder, const char *bytes, size_t len)
{
    (void)unlinkat(folder, NEW_NAME, 0);
    _cleanup_fd_ int fd = open_file(folder, NEW_NAME, O_WRONLY | O_CREAT | O_EXCL);
    if (fd < 0 || write(fd, bytes, len) != (ssize_t)len || renameat(folder, NEW_NAME, folder, NAME))
        (void)unlinkat(folder, NEW_NAME, 0);
}

/* Only who has the lock cuts; nobody waits for it, since any program of the account may hold it. */
static void cut(int folder, const char *bytes, size_t len)
{
    size_t begin = begin_of_last(bytes, len, SBX_HISTORY_FILE_BYTES / 2);
    if (flock(folder, LOCK_EX | LOCK_NB))
        return;
    replace(folder, bytes + begin, len - begin);
    (void)flock(folder, LOCK_UN);
}

static size_t count_lines(const char *bytes, size_t len)
{
    size_t lines = 0;
    for (size_t i = 0; i < len; i++)
        lines += bytes[i] == '\n';
    return lines;
}

void sbx_history_load(int folder, void (*each)(void *data, const char *line), void *data)
{
    size_t len = 0;
    _cleanup_fd_ int fd = open_file(folder, NAME, O_RDONLY);
    _cleanup_free_ char *bytes = fd < 0 ? NULL : read_end(fd, &len);
    if (!bytes)
        return;
    if (len > SBX_HISTORY_FILE_BYTES || count_lines(bytes, len) > SBX_HISTORY_LINES)
        cut(folder, bytes, len);
    char *line = bytes + begin_of_last(bytes, len, SBX_HISTORY_FILE_BYTES);
    for (char *end; line < bytes + len; line = end + 1) {
        end = memchr(line, '\n', (size_t)(bytes + len - line));
        if (!end)
            end = bytes + len;
        *end = '\0';
        if (strlen(line) == (size_t)(end - line) && sbx_history_keeps(line))
            each(data, line);
    }
}

void sbx_history_add(int folder, const char *line)
{
    char text[SBX_HISTORY_LINE_BYTES + 2];
    size_t len = strlen(line);
    struct stat st;
    _cleanup_fd_ int fd = open_file(folder, NAME, O_RDWR | O_CREAT | O_APPEND);
    if (fd < 0 || len > SBX_HISTORY_LINE_BYTES)
        return;
    memcpy(text, line, len);
    text[len++] = '\n';
    if (write(fd, text, len) != (ssize_t)len) /* in one write: other sessions add to it too */
        return;
    if (fstat(fd, &st) || st.st_size <= (off_t)SBX_HISTORY_FILE_BYTES)
        return;
    _cleanup_free_ char *bytes = read_end(fd, &len);
    if (bytes)
        cut(folder, bytes, len);
}
