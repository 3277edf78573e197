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
    const struct sbx_policy *policy;
    const char **paths;
    unsigned count;
    bool is_whole, is_over;
};

static bool is_at_or_below(const char *path, const char *top)
{
    size_t len = strlen(top);
    return !strncmp(path, top, len) && (path[len] == '/' || !path[len]);
}

/* Can it lie in the view? What cannot must not use up the list: any account makes sockets. */
static bool may_be_seen(const struct list *list, const char *path)
{
    static const char *const never[] = {"/run", "/var/run", "/proc", "/sys", "/dev"};
    static const char *const always[] = {
        "/usr", "/etc", "/opt", "/var/lib/dpkg", "/var/lib/apt", "/var/lib/rpm", "/var/cache/apt"};
    for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
        if (is_at_or_below(path, never[i]))
            return false;
    if (!sbx_path_decide(list->policy, path, SBX_OP_READ).allowed)
        return false;
    for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
        if (is_at_or_below(path, always[i]))
            return true;
    uint32_t count;
    const struct sbx_path_rule *rules = sbx_policy_paths(list->policy, &count);
    for (uint32_t i = 0; i < count; i++)
        if ((rules[i].kind == SBX_PATH_ALLOW_READ || rules[i].kind == SBX_PATH_ALLOW_WRITE) &&
            !(rules[i].flags & SBX_PATH_FIXED) &&
            is_at_or_below(path, sbx_policy_text(list->policy, rules[i].anchor)))
            return true;
    bool is_private = sbx_policy_flag(list->policy, SBX_KEY_JAIL_PRIVATE_TMP) &&
                      (is_at_or_below(path, "/tmp") || is_at_or_below(path, "/var/tmp"));
    return (list->is_whole && !is_private) ||
           is_at_or_below(path, sbx_policy_text(list->policy, list->policy->home));
}

static void add(struct list *list, const char *path)
{
    struct stat st;
    if (!may_be_seen(list, path) || lstat(path, &st) ||
        (!S_ISSOCK(st.st_mode) && !S_ISFIFO(st.st_mode)))
        return;
    char *copy = list->count < LIST_MAX ? sbx_arena_strndup(list->arena, path, strlen(path)) : NULL;
    if (copy)
        list->paths[list->count++] = copy;
    else
        list->is_over = true;
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
    const struct sbx_policy *policy;
    bool
        is_ours; /* a tree of the account's: its own FIFOs and where it writes are its own affair */
    unsigned seen;
};

static bool is_wanted(const struct look *look, int dir_fd, const struct dirent *entry)
{
    struct stat st;
    if (entry->d_type == DT_SOCK || (entry->d_type == DT_FIFO && !look->is_ours))
        return true;
    return entry->d_type == DT_FIFO && (fstatat(dir_fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
                                        st.st_uid != look->policy->uid);
}

static bool is_passed_over(const struct look *look, const char *path)
{
    return look->is_ours && sbx_path_decide(look->policy, path, SBX_OP_WRITE).allowed;
}

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
        if (is_wanted(look, fd, entry))
            add(look->list, path);
        bool may_be_directory = entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
        if (!may_be_directory || depth == LOOK_DEPTH || is_passed_over(look, path))
            continue;
        _cleanup_fd_ int below =
            openat(fd, entry->d_name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below >= 0)
            look_below(look, below, path, depth + 1);
    }
}

static void look_at(struct list *list, const struct sbx_policy *policy, const char *place,
                    bool is_ours)
{
    struct look look = {.list = list, .policy = policy, .is_ours = is_ours};
    _cleanup_fd_ int fd = open(place, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        look_below(&look, fd, place, 0);
}

/* A system view has only these of /var; a whole one has all of it, and more. Both have the home and
 * what policy lets in. */
static void list_fifos(struct list *list, const struct sbx_policy *policy)
{
    static const char *const system_places[] = {"/var/lib/dpkg", "/var/lib/apt", "/opt", NULL};
    static const char *const whole_places[] = {"/var", "/opt", "/srv", NULL};
    bool is_whole = sbx_policy_number(policy, SBX_KEY_FILESYSTEM_VIEW) == 1;
    for (const char *const *place = is_whole ? whole_places : system_places; *place; place++)
        look_at(list, policy, *place, false);
    look_at(list, policy, sbx_policy_text(policy, policy->home), true);
    uint32_t count;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0; i < count; i++)
        if (rules[i].kind == SBX_PATH_ALLOW_READ && !(rules[i].flags & SBX_PATH_GLOB))
            look_at(list, policy, sbx_policy_text(policy, rules[i].path), true);
}

/* Paths to mask, NULL-terminated, in the arena; NULL if there are too many to mask them all. */
const char *const *sbx_sockets_find(struct sbx_arena *arena, const struct sbx_policy *policy)
{
    struct list list = {.arena = arena,
                        .policy = policy,
                        .paths = sbx_arena_alloc(arena, (LIST_MAX + 1) * sizeof(char *)),
                        .is_whole = sbx_policy_number(policy, SBX_KEY_FILESYSTEM_VIEW) == 1};
    if (!list.paths)
        return NULL;
    list_sockets(&list);
    list_fifos(&list, policy);
    if (list.is_over)
        return NULL;
    list.paths[list.count] = NULL;
    return list.paths;
}
