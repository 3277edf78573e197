/* What enroll did to an account, so that unenroll undoes that and nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/cleanup.h"
#include "sbxctl/enroll.h"

#define FILE_MAX_BYTES ((size_t)256 * 1024)
#define ENROLLED_DIR   SBX_LIB_DIR "/enrolled"

int sbx_replace_file(int dirfd, const char *name, const char *text, mode_t mode,
                     struct sbx_err *err)
{
    char fresh[128];
    size_t len = strlen(text);
    if (snprintf(fresh, sizeof(fresh), ".%s.new", name) >= (int)sizeof(fresh))
        return sbx_fail(err, SBX_E_LIMIT, 0, "the name %s is too long", name);
    (void)unlinkat(dirfd, fresh, 0); /* left by one that was killed */
    _cleanup_fd_ int fd =
        openat(dirfd, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make %s", name);
    bool ok = write(fd, text, len) == (ssize_t)len && !fchmod(fd, mode) && !fsync(fd) &&
              !renameat(dirfd, fresh, dirfd, name);
    int errnum = errno;
    if (ok)
        return 0;
    (void)unlinkat(dirfd, fresh, 0);
    return sbx_fail(err, SBX_E_SYSTEM, errnum, "cannot write %s", name);
}

int sbx_read_file(int dirfd, const char *name, char **text, struct sbx_err *err)
{
    struct stat st;
    *text = NULL;
    _cleanup_fd_ int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return 1;
    if (fd < 0 || fstat(fd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open %s", name);
    if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022) ||
        (size_t)st.st_size > FILE_MAX_BYTES)
        return sbx_fail(err, SBX_E_TRUST, 0, "%s has the wrong kind, owner, mode or size", name);
    _cleanup_free_ char *bytes = calloc(1, (size_t)st.st_size + 1);
    if (!bytes)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory");
    if (read(fd, bytes, (size_t)st.st_size) != st.st_size)
        return sbx_fail(err, SBX_E_SYSTEM, EIO, "cannot read %s", name);
    *text = sbx_steal_ptr(&bytes);
    return 0;
}

static void take(const char *text, const char *key, char *out, size_t size)
{
    size_t len = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, key, len) && line[len] == '=')
            (void)snprintf(out, size, "%.*s", (int)strcspn(line + len + 1, "\n"), line + len + 1);
    }
}

static bool is_yes(const char *text, const char *key)
{
    char word[8] = "";
    take(text, key, word, sizeof(word));
    return !strcmp(word, "yes");
}

int sbx_enrolled_read(const struct sbx_paths *paths, const char *account, struct sbx_enrolled *out,
                      struct sbx_err *err)
{
    *out = (struct sbx_enrolled){0};
    _cleanup_free_ char *text = NULL;
    char number[16] = "";
    struct sbx_err own = SBX_ERR_INIT;
    _cleanup_fd_ int dirfd = sbx_paths_open(paths, ENROLLED_DIR, 0, &own);
    if (dirfd < 0 && own.code == SBX_E_GONE)
        return 1;
    if (dirfd < 0) {
        *err = own;
        return -1;
    }
    int result = sbx_read_file(dirfd, account, &text, err);
    if (result)
        return result;
    take(text, "shell", out->shell, sizeof(out->shell));
    take(text, "workspace", out->workspace, sizeof(out->workspace));
    take(text, "uid", number, sizeof(number));
    out->uid = (uid_t)strtoul(number, NULL, 10);
    out->masked = is_yes(text, "masked");
    out->listed = is_yes(text, "listed");
    out->lingered = is_yes(text, "lingered");
    for (size_t i = 0; i < SBX_SCHEDULERS; i++) {
        char key[64];
        (void)snprintf(key, sizeof(key), "%s_denied", sbx_schedulers[i].name);
        out->denied[i] = is_yes(text, key);
        (void)snprintf(key, sizeof(key), "%s_made", sbx_schedulers[i].name);
        out->made[i] = is_yes(text, key);
    }
    return 0;
}

static const char *yes_or_no(bool value)
{
    return value ? "yes" : "no";
}

int sbx_enrolled_write(const struct sbx_enroll *enroll, struct sbx_err *err)
{
    const struct sbx_enrolled *done = &enroll->done;
    _cleanup_free_ char *text = NULL;
    if (enroll->dry_run)
        return 0;
    _cleanup_fd_ int dirfd = sbx_paths_open(&enroll->paths, ENROLLED_DIR, 0700, err);
    if (dirfd < 0)
        return -1;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory");
    (void)fprintf(out, "uid=%u\nshell=%s\nworkspace=%s\nmasked=%s\nlisted=%s\nlingered=%s\n",
                  done->uid, done->shell, done->workspace, yes_or_no(done->masked),
                  yes_or_no(done->listed), yes_or_no(done->lingered));
    for (size_t i = 0; i < SBX_SCHEDULERS; i++)
        (void)fprintf(out, "%s_denied=%s\n%s_made=%s\n", sbx_schedulers[i].name,
                      yes_or_no(done->denied[i]), sbx_schedulers[i].name, yes_or_no(done->made[i]));
    if (fclose(out))
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory");
    return sbx_replace_file(dirfd, enroll->account.name, text, 0600, err);
}

int sbx_enrolled_remove(const struct sbx_enroll *enroll, struct sbx_err *err)
{
    if (enroll->dry_run)
        return 0;
    _cleanup_fd_ int dirfd = sbx_paths_open(&enroll->paths, ENROLLED_DIR, 0, err);
    if (dirfd < 0)
        return -1;
    if (unlinkat(dirfd, enroll->account.name, 0))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot remove the record of %s",
                        enroll->account.name);
    return 0;
}
