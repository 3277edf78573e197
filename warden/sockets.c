/* Path sockets and FIFOs of the host that would lie in the view.
 *
 * A read-only mount stops neither connect(2) to a socket file nor a write to a FIFO, and both lead to
 * programs outside. What is bound in the host's network namespace is listed by the kernel; a FIFO is
 * found only by looking, which is done where daemons keep them and where the view shows it. What is
 * found is masked by name; names are hostile text and can do no more than mask too much. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/cleanup.h"
#include "policy/path.h"
#include "warden/warden.h"

#define LIST_MAX   2000u
#define LOOK_DEPTH 5u
#define LOOK_MAX   20000u

struct list {
    struct sbx_arena *arena;
    const char **paths;
    unsigned count;
};

static void add(struct list *list, const char *path)
{
    char *copy = list->count < LIST_MAX ? sbx_arena_strndup(list->arena, path, strlen(path)) : NULL;
    if (copy)
        list->paths[list->count++] = copy;
}

/* "Num RefCount Protocol Flags Type St Inode Path": the path is the eighth field, if any. */
static const char *path_field(char *line)
{
    char *p = line;
    for (int field = 0; field < 7; field++) {
        p += strspn(p, " ");
        p += strcspn(p, " ");
    }
    p += strspn(p, " ");
    p[strcspn(p, "\n")] = '\0';
    return *p == '/' ? p : NULL;
}

static void list_sockets(struct list *list)
{
    _cleanup_file_ FILE *file = fopen("/proc/net/unix", "re");
    char line[512], path[PATH_MAX];
    while (file && fgets(line, sizeof(line), file)) {
        const char *name = path_field(line);
        if (name && !sbx_path_normalise("/", name, path, sizeof(path)))
            add(list, path);
    }
}

struct look {
    struct list *list;
    unsigned seen;
};

static void look_below(struct look *look, int dir_fd, const char *dir, unsigned depth)
{
    int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    _cleanup_dir_ DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *entry; stream && look->seen < LOOK_MAX && (entry = readdir(stream));) {
        char path[PATH_MAX];
        look->seen++;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name) >= (int)sizeof(path))
            continue;
        if (entry->d_type == DT_FIFO || entry->d_type == DT_SOCK)
            add(look->list, path);
        if (entry->d_type != DT_DIR || depth == LOOK_DEPTH)
            continue;
        _cleanup_fd_ int below =
            openat(fd, entry->d_name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below >= 0)
            look_below(look, below, path, depth + 1);
    }
}

/* A system view has only these of /var; a whole one has all of it, and more. */
static void list_fifos(struct list *list, bool is_whole)
{
    static const char *const system_places[] = {"/var/lib/dpkg", "/var/lib/apt", "/opt", NULL};
    static const char *const whole_places[] = {"/var", "/opt", "/srv", NULL};
    for (const char *const *place = is_whole ? whole_places : system_places; *place; place++) {
        struct look look = {.list = list};
        _cleanup_fd_ int fd = open(*place, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0)
            look_below(&look, fd, *place, 0);
    }
}

/* Paths to mask, NULL-terminated, in the arena; NULL if out of memory. */
const char *const *sbx_sockets_find(struct sbx_arena *arena, bool is_whole)
{
    struct list list = {.arena = arena,
                        .paths = sbx_arena_alloc(arena, (LIST_MAX + 1) * sizeof(char *))};
    if (!list.paths)
        return NULL;
    list_sockets(&list);
    list_fifos(&list, is_whole);
    list.paths[list.count] = NULL;
    return list.paths;
}
