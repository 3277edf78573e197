/* Files of projects that an administrator accepted, by hash and path. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "warden/chain.h"
#include "warden/lower.h"

#define TRUSTED_FILE  "trusted" /* below SBX_LIB_DIR */
#define HASH_CHARS    (SBX_HASH_TEXT_BYTES - 1)
#define TRUSTED_BYTES ((size_t)1024 * 1024)

/* The whole text of the file, with a NUL; the caller's. NULL where it cannot be read. */
static char *read_text(int fd)
{
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < 0 ||
        (size_t)st.st_size > TRUSTED_BYTES)
        return NULL;
    size_t size = (size_t)st.st_size;
    char *text = malloc(size + 1);
    if (!text || pread(fd, text, size, 0) != (ssize_t)size) {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

int sbx_trust_open(const struct sbx_paths *paths, int flags)
{
    struct sbx_err absent;
    _cleanup_fd_ int dir = sbx_paths_open(paths, SBX_LIB_DIR, 0, &absent);
    return dir < 0 ? -1 : openat(dir, TRUSTED_FILE, flags | O_NOFOLLOW | O_CLOEXEC);
}

int sbx_trust_each(int trusted_fd, int (*visit)(void *data, const char *hash, const char *path),
                   void *data)
{
    _cleanup_free_ char *text = read_text(trusted_fd);
    int status = 0;
    for (char *line = text, *next; line && *line && !status; line = next) {
        next = strchrnul(line, '\n');
        if (*next)
            *next++ = '\0';
        if (strspn(line, "0123456789abcdef") != HASH_CHARS || line[HASH_CHARS] != ' ')
            continue;
        line[HASH_CHARS] = '\0';
        status = visit(data, line, line + HASH_CHARS + 1);
    }
    return status;
}

struct wanted {
    const char *hash, *path;
};

static int is_wanted(void *data, const char *hash, const char *path)
{
    const struct wanted *wanted = data;
    return !strcmp(wanted->hash, hash) && !strcmp(wanted->path, path);
}

bool sbx_trust_has(int trusted_fd, const char *path, const void *bytes, size_t len)
{
    char hash[SBX_HASH_TEXT_BYTES];
    sbx_chain_hash(bytes, len, hash);
    struct wanted wanted = {hash, path};
    return sbx_trust_each(trusted_fd, is_wanted, &wanted) != 0;
}

struct rewrite {
    FILE *out;
    const char *hash; /* the new one of the path, or NULL */
    const char *path;
    bool was_there, was_same;
};

static int copy_line(void *data, const char *hash, const char *path)
{
    struct rewrite *rewrite = data;
    if (strcmp(path, rewrite->path) != 0)
        return fprintf(rewrite->out, "%s %s\n", hash, path) < 0;
    rewrite->was_there = true;
    rewrite->was_same = rewrite->hash && !strcmp(hash, rewrite->hash);
    return 0;
}

static int write_new(int dir_fd, const char *name, struct rewrite *rewrite)
{
    int out_fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (out_fd < 0)
        return -1;
    _cleanup_file_ FILE *out = fdopen(out_fd, "w");
    if (!out) {
        (void)close(out_fd);
        return -1;
    }
    rewrite->out = out;
    _cleanup_fd_ int old = openat(dir_fd, TRUSTED_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (old < 0 && errno != ENOENT)
        return -1;
    if (old >= 0) { /* nothing of it is lost: what cannot be read is not written anew */
        _cleanup_free_ char *text = read_text(old);
        if (!text) {
            errno = EFBIG;
            return -1;
        }
    }
    if (sbx_trust_each(old, copy_line, rewrite) ||
        (rewrite->hash && fprintf(out, "%s %s\n", rewrite->hash, rewrite->path) < 0) ||
        fflush(out) || fsync(fileno(out)))
        return -1;
    return 0;
}

int sbx_trust_set(int dir_fd, const char *path, const void *bytes, size_t len, bool *changed,
                  struct sbx_err *err)
{
    char hash[SBX_HASH_TEXT_BYTES], name[64];
    struct rewrite rewrite = {.path = path, .hash = bytes ? hash : NULL};
    if (strpbrk(path, "\n"))
        return sbx_fail(err, SBX_E_USAGE, 0, "a path with a newline cannot be accepted");
    if (bytes)
        sbx_chain_hash(bytes, len, hash);
    (void)snprintf(name, sizeof(name), ".%s.%d", TRUSTED_FILE, getpid());
    if (write_new(dir_fd, name, &rewrite) || renameat(dir_fd, name, dir_fd, TRUSTED_FILE)) {
        int saved = errno;
        (void)unlinkat(dir_fd, name, 0);
        return sbx_fail(err, SBX_E_SYSTEM, saved, "cannot write the file of accepted files");
    }
    *changed = bytes ? !rewrite.was_same : rewrite.was_there;
    return 0;
}
