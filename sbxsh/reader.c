#include "sbxsh/reader.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/shell.h"

#define CHUNK_BYTES 4096

void sbxsh_reader_init(struct sbxsh_reader *reader)
{
    struct stat st;
    *reader = (struct sbxsh_reader){.kind = SBXSH_READ_BYTES};
    if (fstat(STDIN_FILENO, &st))
        return;
    if (S_ISREG(st.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0)
        reader->kind = SBXSH_READ_FILE;
    else if (S_ISSOCK(st.st_mode))
        reader->kind = SBXSH_READ_SOCKET;
}

void sbxsh_reader_clear(struct sbxsh_reader *reader)
{
    free(reader->line);
    *reader = (struct sbxsh_reader){.kind = SBXSH_READ_BYTES};
}

static int append(struct sbxsh_reader *reader, const char *bytes, size_t len)
{
    if (reader->len + len > SBX_SHELL_MAX_BYTES)
        return -1;
    if (reader->len + len + 1 > reader->capacity) {
        size_t capacity = (reader->len + len + 1) * 2;
        char *line = realloc(reader->line, capacity);
        if (!line)
            return -1;
        reader->line = line;
        reader->capacity = capacity;
    }
    memcpy(reader->line + reader->len, bytes, len);
    reader->len += len;
    return 0;
}

enum sbxsh_line sbxsh_reader_put(struct sbxsh_reader *reader, const char *bytes, size_t len)
{
    reader->len = 0;
    return append(reader, bytes, len) ? SBXSH_LINE_TOO_LONG : SBXSH_LINE;
}

/* Up to the newline, the newline included, or what there is; the rest stays. */
static ssize_t take_socket(char *bytes)
{
    ssize_t got = recv(STDIN_FILENO, bytes, CHUNK_BYTES, MSG_PEEK);
    if (got <= 0)
        return got;
    const char *end = memchr(bytes, '\n', (size_t)got);
    return read(STDIN_FILENO, bytes, end ? (size_t)(end - bytes) + 1 : (size_t)got);
}

static ssize_t take_file(char *bytes)
{
    ssize_t got = read(STDIN_FILENO, bytes, CHUNK_BYTES);
    const char *end = got > 0 ? memchr(bytes, '\n', (size_t)got) : NULL;
    if (!end)
        return got;
    ssize_t used = end - bytes + 1;
    return lseek(STDIN_FILENO, used - got, SEEK_CUR) < 0 ? -1 : used;
}

/* A pipe or terminal gives one byte at a time; the kernel's count of those that wait saves looking
 * for signals before each of them. */
static ssize_t take_bytes(char *bytes)
{
    int waiting = 0;
    if (ioctl(STDIN_FILENO, FIONREAD, &waiting) || waiting < 1)
        waiting = 1;
    ssize_t used = 0;
    while (used < waiting && used < CHUNK_BYTES) {
        ssize_t got = read(STDIN_FILENO, bytes + used, 1);
        if (got <= 0)
            return used ? used : got;
        if (bytes[used++] == '\n')
            break;
    }
    return used;
}

static ssize_t take(const struct sbxsh_reader *reader, char *bytes)
{
    switch (reader->kind) {
    case SBXSH_READ_FILE:
        return take_file(bytes);
    case SBXSH_READ_SOCKET:
        return take_socket(bytes);
    default:
        return take_bytes(bytes);
    }
}

/* Waits for input. Returns SBXSH_LINE when there is some, or end of input, or an error to be met. */
static enum sbxsh_line await_input(struct sbxsh_bash *bash)
{
    for (;;) {
        struct pollfd fds[] = {
            {.fd = STDIN_FILENO,  .events = POLLIN},
            {.fd = bash->signals, .events = POLLIN}
        };
        int got = poll(fds, 2, -1);
        if (got > 0 && fds[1].revents)
            sbxsh_bash_signals(bash);
        if (bash->is_gone || bash->ended_by)
            return SBXSH_LINE_OVER;
        if (bash->was_interrupted)
            return SBXSH_LINE_INTERRUPT;
        if (got > 0 && fds[0].revents)
            return SBXSH_LINE;
    }
}

enum sbxsh_line sbxsh_reader_next(struct sbxsh_reader *reader, struct sbxsh_bash *bash)
{
    reader->len = 0;
    for (;;) {
        char bytes[CHUNK_BYTES];
        enum sbxsh_line what = await_input(bash);
        if (what != SBXSH_LINE)
            return what;
        ssize_t got = take(reader, bytes);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0)
            return SBXSH_LINE_LAST;
        bool is_whole = bytes[got - 1] == '\n';
        if (append(reader, bytes, (size_t)got - is_whole))
            return SBXSH_LINE_TOO_LONG;
        if (is_whole)
            return SBXSH_LINE;
    }
}
