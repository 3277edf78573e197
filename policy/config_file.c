#include "policy/config_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "policy/cleanup.h"
#include "policy/config.h"

/* By descriptor, one component at a time, no link followed: what was checked is what is read. */
static int open_at(const struct sbx_opening *how, int at, const char *name, int flags)
{
    bool is_strict = how->is_trusted && !how->follows;
    struct open_how open_how = {
        .flags = (uint64_t)(unsigned)(flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK),
        .resolve = is_strict ? RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS : 0,
    };
    if (how->is_glance) {
        open_how.flags = (uint64_t)(unsigned)((flags & O_DIRECTORY) | O_PATH | O_CLOEXEC);
        if (is_strict)
            open_how.flags |= O_NOFOLLOW;
    }
    for (int tries = 0;; tries++) {
        long fd = syscall(SYS_openat2, at, name, &open_how, sizeof(open_how));
        if (fd >= 0 || (errno != EINTR && errno != EAGAIN) || tries >= 16)
            return (int)fd;
    }
}

static enum sbx_open_result open_fault(const char *label, struct sbx_err *err)
{
    switch (errno) {
    case ENOENT:
        return SBX_OPEN_ABSENT;
    case ENOSYS:
        sbx_fail(err, SBX_E_UNSUPPORTED, ENOSYS,
                 "%s: the kernel has no openat2, which 5.14 and newer ones have", label);
        break;
    case ELOOP:
        sbx_fail(err, SBX_E_TRUST, 0, "%s: is a symbolic link: put the file itself there", label);
        break;
    case ENOTDIR:
        sbx_fail(err, SBX_E_TRUST, 0, "%s: is not a directory, or a symbolic link to one", label);
        break;
    case ENXIO:
        sbx_fail(err, SBX_E_TRUST, 0, "%s: is a socket or a device, not a file", label);
        break;
    case EACCES:
        sbx_fail(err, SBX_E_SYSTEM, EACCES, "%s: cannot be read by this user", label);
        break;
    default:
        sbx_fail(err, SBX_E_SYSTEM, errno, "%s: cannot be opened", label);
    }
    return SBX_OPEN_FAILED;
}

static int check_owner(const struct stat *st, const char *label, struct sbx_err *err)
{
    if (st->st_uid != 0)
        return sbx_fail(err, SBX_E_TRUST, 0,
                        "%s: belongs to uid %u, and must be root's (chown root)", label,
                        (unsigned)st->st_uid);
    if (st->st_mode & (S_IWGRP | S_IWOTH))
        return sbx_fail(err, SBX_E_TRUST, 0, "%s: mode %04o lets others write (chmod go-w)", label,
                        (unsigned)(st->st_mode & 07777));
    return 0;
}

enum sbx_open_result sbx_config_open(const struct sbx_opening *how, int at, const char *name,
                                     const char *label, int *out, struct sbx_err *err)
{
    _cleanup_fd_ int fd = open_at(how, at, name, how->is_dir ? O_RDONLY | O_DIRECTORY : O_RDONLY);
    if (fd < 0)
        return open_fault(label, err);
    struct stat st;
    if (fstat(fd, &st)) {
        sbx_fail(err, SBX_E_SYSTEM, errno, "%s: cannot be looked at", label);
        return SBX_OPEN_FAILED;
    }
    bool is_right = how->is_dir ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode);
    if (!is_right && !how->is_glance) {
        sbx_fail(err, SBX_E_TRUST, 0, "%s: is no %s", label,
                 how->is_dir ? "directory" : "regular file");
        return SBX_OPEN_FAILED;
    }
    if (how->is_trusted && !how->is_glance && check_owner(&st, label, err))
        return SBX_OPEN_FAILED;
    *out = sbx_steal_fd(&fd);
    return SBX_OPEN_DONE;
}

static int check_size(const struct stat *st, const char *label, struct sbx_err *err)
{
    if (st->st_size > (off_t)SBX_CONFIG_FILE_BYTES)
        return sbx_fail(err, SBX_E_LIMIT, 0,
                        "%s: %lld bytes are more than the %zu a policy file may have", label,
                        (long long)st->st_size, SBX_CONFIG_FILE_BYTES);
    if (st->st_size < 1)
        return sbx_fail(
            err, SBX_E_POLICY, 0,
            "%s: is empty: is it half written? A file that shall say nothing holds a comment",
            label);
    return 0;
}

static bool same_state(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
           a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

int sbx_config_slurp(int fd, const char *label, char **bytes, size_t *len, struct sbx_err *err)
{
    struct stat before, after;
    if (fstat(fd, &before))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "%s: cannot be looked at", label);
    if (check_size(&before, label, err))
        return -1;
    size_t size = (size_t)before.st_size, used = 0;
    _cleanup_free_ char *text = malloc(size + 1);
    if (!text)
        return sbx_fail(err, SBX_E_MEMORY, 0, "%s: out of memory", label);
    while (used <= size) { /* one byte more than there should be tells of growth */
        ssize_t got = read(fd, text + used, size + 1 - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "%s: cannot be read", label);
        if (!got)
            break;
        used += (size_t)got;
    }
    if (used != size || fstat(fd, &after) || !same_state(&before, &after))
        return sbx_fail(err, SBX_E_POLICY, 0, "%s: changed while it was read: try again", label);
    *bytes = sbx_steal_ptr(&text);
    *len = size;
    return 0;
}

static bool is_policy_name(const char *name)
{
    size_t len = strlen(name);
    return len > 4 && !strcmp(name + len - 4, ".ini");
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names one after the other, grown as they come. */
struct name_list {
    char *text;
    size_t used, room, count;
};

static bool name_list_add(struct name_list *list, const char *name)
{
    size_t len = strlen(name) + 1;
    if (len > list->room - list->used) {
        size_t room = list->room * 2 + 4096;
        char *text = realloc(list->text, room);
        if (!text)
            return false;
        list->text = text;
        list->room = room;
    }
    memcpy(list->text + list->used, name, len);
    list->used += len;
    list->count++;
    return true;
}

static int read_names(DIR *dir, const char *label, enum sbx_listing which, struct name_list *list,
                      struct sbx_err *err)
{
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(dir);
        if (!entry && errno)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "%s: cannot be listed", label);
        if (!entry)
            return 0;
        if (entry->d_name[0] == '.' || is_policy_name(entry->d_name) != (which == SBX_LIST_POLICY))
            continue;
        if (list->count >= SBX_CONFIG_FILES && which == SBX_LIST_UNREAD)
            return 0;
        if (list->count >= SBX_CONFIG_FILES)
            return sbx_fail(err, SBX_E_LIMIT, 0, "%s: more than %d policy files", label,
                            SBX_CONFIG_FILES);
        if (!name_list_add(list, entry->d_name))
            return sbx_fail(err, SBX_E_MEMORY, 0, "%s: out of memory", label);
    }
}

int sbx_config_list(int fd, const char *label, enum sbx_listing which, char ***names,
                    struct sbx_err *err)
{
    const struct sbx_opening plain = {0}; /* the directory itself was checked already */
    _cleanup_fd_ int copy = open_at(&plain, fd, ".", O_RDONLY | O_DIRECTORY);
    _cleanup_dir_ DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    if (!dir)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "%s: cannot be listed", label);
    (void)sbx_steal_fd(&copy);
    struct name_list list = {0};
    int status = read_names(dir, label, which, &list, err);
    _cleanup_free_ char *text = list.text;
    if (status)
        return -1;
    char **block = malloc((list.count + 1) * sizeof(*block) + list.used);
    if (!block)
        return sbx_fail(err, SBX_E_MEMORY, 0, "%s: out of memory", label);
    char *copied = (char *)(block + list.count + 1);
    if (list.used)
        memcpy(copied, text, list.used);
    for (size_t i = 0; i < list.count; i++, copied += strlen(copied) + 1)
        block[i] = copied;
    block[list.count] = NULL;
    qsort(block, list.count, sizeof(*block), compare_names);
    *names = block;
    return 0;
}

/* FNV-1a, over the bytes of a number. */
static uint64_t mix(uint64_t stamp, uint64_t number)
{
    for (unsigned shift = 0; shift < 64; shift += 8)
        stamp = (stamp ^ (number >> shift & 0xff)) * 0x100000001b3u;
    return stamp;
}

uint64_t sbx_config_stamp_mix(uint64_t stamp, const char *label, int fd)
{
    struct stat st = {0};
    for (const char *c = label; *c; c++)
        stamp = mix(stamp, (unsigned char)*c);
    if (fd < 0 || fstat(fd, &st))
        return mix(stamp, UINT64_MAX);
    const uint64_t state[] = {
        (uint64_t)st.st_dev,          (uint64_t)st.st_ino,         (uint64_t)st.st_mode,
        (uint64_t)st.st_uid,          (uint64_t)st.st_size,        (uint64_t)st.st_mtim.tv_sec,
        (uint64_t)st.st_mtim.tv_nsec, (uint64_t)st.st_ctim.tv_sec, (uint64_t)st.st_ctim.tv_nsec,
    };
    for (size_t i = 0; i < sizeof(state) / sizeof(*state); i++)
        stamp = mix(stamp, state[i]);
    return stamp;
}
