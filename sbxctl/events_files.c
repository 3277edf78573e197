#include "sbxctl/events.h"

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"

static bool parse_name(const char *name, struct sbx_event_file *out)
{
    const char *suffix = strstr(name, ".jsonl");
    size_t stem = suffix ? (size_t)(suffix - name) : 0;
    if (!stem || stem >= sizeof(out->chain) || name[0] == '.' || strlen(name) >= sizeof(out->name))
        return false;
    *out = (struct sbx_event_file){0};
    memcpy(out->name, name, strlen(name) + 1);
    memcpy(out->chain, name, stem);
    suffix += strlen(".jsonl");
    if (!*suffix)
        return true;
    char *end;
    unsigned long number = suffix[0] == '.' ? strtoul(suffix + 1, &end, 10) : 0;
    if (!number || *end || number > 1000000)
        return false; /* compressed, set aside as damaged, or none of ours */
    out->rotation = (unsigned)number;
    return true;
}

static int by_age(const void *left, const void *right)
{
    const struct sbx_event_file *a = left, *b = right;
    int order = strcmp(a->chain, b->chain);
    return order ? order : (a->rotation < b->rotation) - (a->rotation > b->rotation);
}

int sbx_event_files(int dirfd, struct sbx_event_file **files, size_t *count, struct sbx_err *err)
{
    *files = NULL;
    *count = 0;
    int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    _cleanup_dir_ DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        int errnum = errno;
        if (fd >= 0)
            (void)close(fd);
        return sbx_fail(err, SBX_E_SYSTEM, errnum, "cannot list the event files");
    }
    _cleanup_free_ struct sbx_event_file *list = NULL;
    size_t room = 0, used = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        struct sbx_event_file file;
        if (!parse_name(entry->d_name, &file))
            continue;
        if (used == SBX_EVENT_FILES_MAX)
            return sbx_fail(err, SBX_E_LIMIT, 0, "more than %d event files", SBX_EVENT_FILES_MAX);
        if (used == room) {
            room = room ? room * 2 : 64;
            void *more = reallocarray(list, room, sizeof(*list));
            if (!more)
                return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the list of event files");
            list = more;
        }
        list[used++] = file;
    }
    if (used)
        qsort(list, used, sizeof(*list), by_age);
    *count = used;
    *files = sbx_steal_ptr(&list);
    return 0;
}
