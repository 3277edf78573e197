#include "jail/cgroup_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"

/* True where a comma-separated list holds the word. */
static bool list_has(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, word, length) && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

/* "/" and "" are both the root: "" lets paths be joined. False if it is too long. */
static bool copy_path(char *out, size_t size, const char *text)
{
    size_t length = strlen(text);
    if (length >= size)
        return false;
    memcpy(out, text, length + 1);
    if (length == 1 && text[0] == '/')
        out[0] = '\0';
    return true;
}

/* One line of mountinfo: id parent dev root mount options [more…] - type source options. */
static bool parse_mount(char *line, struct sbx_hierarchy *out)
{
    char *field[6];
    line[strcspn(line, "\n")] = '\0';
    char *tail = strstr(line, " - cgroup");
    if (!tail)
        return false;
    *tail = '\0';
    tail += 3;
    for (int i = 0; i < 6; i++)
        if (!(field[i] = strsep(&line, " ")))
            return false;
    const char *type = strsep(&tail, " "), *source = strsep(&tail, " "),
               *options = strsep(&tail, " ");
    if (!type || !source || !options)
        return false;
    *out = (struct sbx_hierarchy){.is_v2 = !strcmp(type, "cgroup2")};
    if (!out->is_v2 && strcmp(type, "cgroup"))
        return false;
    const char *controllers = out->is_v2 ? "" : options;
    if (strlen(controllers) >= sizeof(out->controllers))
        return false;
    memcpy(out->controllers, controllers, strlen(controllers) + 1);
    /* Only mountinfo escapes (a space, a backslash); such a place is none of the usual ones. */
    if (strchr(field[3], '\\') || strchr(field[4], '\\'))
        return false;
    return copy_path(out->root, sizeof(out->root), field[3]) &&
           copy_path(out->mount, sizeof(out->mount), field[4]);
}

/* "4:memory:/a/b" and "0::/a/b": which hierarchy is meant. The options of a v1 mount begin with the
 * flags of the file system, then name the controllers: one of them is enough. */
static void note_own(struct sbx_hierarchies *tree, char *line)
{
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':'),
         *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
        return;
    *path++ = '\0';
    controllers++;
    size_t first = strcspn(controllers, ",");
    char word[64];
    (void)snprintf(word, sizeof(word), "%.*s", (int)first, controllers);
    for (size_t i = 0; i < tree->count; i++) {
        struct sbx_hierarchy *at = &tree->at[i];
        bool is_it = *word ? !at->is_v2 && list_has(at->controllers, word) : at->is_v2;
        if (is_it && !copy_path(at->own, sizeof(at->own), path))
            at->own[0] = '\0';
    }
}

static bool is_known(const struct sbx_hierarchies *tree, const struct sbx_hierarchy *one)
{
    for (size_t i = 0; i < tree->count; i++)
        if (tree->at[i].is_v2 == one->is_v2 && !strcmp(tree->at[i].controllers, one->controllers))
            return true; /* a second mount of it, as containers' tools make them */
    return false;
}

int sbx_hierarchies_read(struct sbx_hierarchies *tree, struct sbx_err *err)
{
    tree->count = 0;
    _cleanup_free_ char *line = NULL;
    size_t size = 0;
    _cleanup_file_ FILE *mounts = fopen("/proc/self/mountinfo", "re");
    if (!mounts)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the mounts");
    while (tree->count < SBX_HIERARCHIES_MAX && getline(&line, &size, mounts) > 0) {
        struct sbx_hierarchy one;
        if (parse_mount(line, &one) && !is_known(tree, &one))
            tree->at[tree->count++] = one;
    }
    _cleanup_file_ FILE *own = fopen("/proc/self/cgroup", "re");
    if (!own)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read this process's control groups");
    while (getline(&line, &size, own) > 0)
        note_own(tree, line);
    return 0;
}

const struct sbx_hierarchy *sbx_hierarchy_v1(const struct sbx_hierarchies *tree,
                                             const char *controller)
{
    for (size_t i = 0; i < tree->count; i++)
        if (!tree->at[i].is_v2 && list_has(tree->at[i].controllers, controller))
            return &tree->at[i];
    return NULL;
}

const struct sbx_hierarchy *sbx_hierarchy_v2(const struct sbx_hierarchies *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (!tree->at[i].is_v2)
            continue;
        char controllers[256], *rest = controllers;
        _cleanup_fd_ int fd = open(tree->at[i].mount, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0 || sbx_cgroup_read(fd, "cgroup.controllers", controllers, sizeof(controllers)))
            return NULL;
        for (char *word; (word = strsep(&rest, " "));)
            if (!strcmp(word, "pids"))
                return &tree->at[i];
        return NULL;
    }
    return NULL;
}

bool sbx_hierarchy_unit(const struct sbx_hierarchy *hierarchy, char path[SBX_CGROUP_PATH])
{
    static const char warden[] = "/warden", prefix[] = "/sbx-jail@", suffix[] = ".service";
    size_t root = strlen(hierarchy->root), length = strlen(hierarchy->own);
    if (strncmp(hierarchy->own, hierarchy->root, root))
        return false;
    if (length > sizeof(warden) && !strcmp(hierarchy->own + length - (sizeof(warden) - 1), warden))
        length -= sizeof(warden) - 1;
    (void)snprintf(path, SBX_CGROUP_PATH, "%s%.*s", hierarchy->mount, (int)(length - root),
                   hierarchy->own + root);
    const char *last = strrchr(path, '/');
    size_t last_length = last ? strlen(last) : 0;
    return last_length > sizeof(prefix) + sizeof(suffix) &&
           !strncmp(last, prefix, sizeof(prefix) - 1) &&
           !strcmp(last + last_length - (sizeof(suffix) - 1), suffix);
}

const char *sbx_cgroup_self_file(bool is_v2)
{
    return is_v2 ? "cgroup.procs" : "tasks";
}

int sbx_cgroup_write(int dir_fd, const char *file, const char *text)
{
    _cleanup_fd_ int fd = openat(dir_fd, file, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    size_t length = strlen(text);
    return fd >= 0 && write(fd, text, length) == (ssize_t)length ? 0 : -1;
}

int sbx_cgroup_read(int dir_fd, const char *file, char *out, size_t size)
{
    _cleanup_fd_ int fd = openat(dir_fd, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t got = fd >= 0 ? read(fd, out, size - 1) : -1;
    if (got < 0)
        return -1;
    while (got && (out[got - 1] == '\n' || out[got - 1] == ' '))
        got--;
    out[got] = '\0';
    return 0;
}
