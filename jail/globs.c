#include "jail/globs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "jail/open.h"
#include "policy/cleanup.h"
#include "policy/path.h"

struct walk {
    const struct sbx_globs_sink *sink;
    const char *glob;
    unsigned entries, matches; /* of this rule */
    unsigned depth;            /* how far down this glob can match */
    bool is_cut, is_over;
};

static unsigned components(const char *path)
{
    unsigned count = 0;
    for (const char *p = path; (p = strchr(p, '/'));)
        count += *++p != '\0';
    return count;
}

/* The leading part of a glob that holds no glob, as a path: "/" where there is none. */
static void base_of(const char *glob, unsigned literals, char *out, size_t size)
{
    size_t len = 0;
    for (unsigned i = 0; i < literals && glob[len] == '/'; i++)
        len += 1 + strcspn(glob + len + 1, "/");
    (void)snprintf(out, size, "%.*s", len ? (int)len : 1, len ? glob : "/");
}

static void visit(struct walk *walk, int dir_fd, const char *dir, unsigned depth);

static void tell_closed(const struct walk *walk, int dir_fd, const char *dir)
{
    struct stat st;
    if (errno == EACCES && walk->sink->closed)
        walk->sink->closed(walk->sink->data, dir,
                           dir_fd >= 0 && !fstat(dir_fd, &st) ? st.st_uid : (uid_t)-1);
}

/* A link holds nothing, and nothing can be mounted on it: where it leads has a name of its own, which
 * the rules are for. Else the account could make a link that matches, and no jail could be built. */
static bool is_link(int dir_fd, const struct dirent *entry)
{
    struct stat st;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_LNK;
    return !fstatat(dir_fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode);
}

/* A match ends the descent: what is denied is denied with all below it. */
static void look_at(struct walk *walk, int dir_fd, const char *dir, const struct dirent *entry,
                    unsigned depth)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof(path), "%s/%s", dir[1] ? dir : "", entry->d_name) >=
        (int)sizeof(path))
        return;
    if (is_link(dir_fd, entry))
        return;
    if (sbx_path_glob(walk->glob, path)) {
        if (walk->matches++ >= SBX_GLOBS_MATCHES)
            walk->is_cut = true;
        else if (!walk->sink->found(walk->sink->data, path))
            walk->is_over = true;
        return;
    }
    bool may_be_directory = entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
    if (!may_be_directory || depth + 1 >= walk->depth)
        return;
    _cleanup_fd_ int below =
        openat(dir_fd, entry->d_name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below >= 0)
        visit(walk, below, path, depth + 1);
    else
        tell_closed(walk, dir_fd, dir);
}

static void visit(struct walk *walk, int dir_fd, const char *dir, unsigned depth)
{
    int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    _cleanup_dir_ DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    if (!stream) {
        tell_closed(walk, dir_fd, dir);
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    for (struct dirent *entry; !walk->is_over && !walk->is_cut && (entry = readdir(stream));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (walk->entries++ >= SBX_GLOBS_ENTRIES)
            walk->is_cut = true;
        else
            look_at(walk, fd, dir, entry, depth);
    }
}

static bool opens_below(const struct sbx_policy *policy, const char *base)
{
    uint32_t count;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    size_t len = strlen(base);
    for (uint32_t i = 0; i < count; i++) {
        const char *path = sbx_policy_text(policy, rules[i].path);
        if (rules[i].kind == SBX_PATH_ALLOW_WRITE && !(rules[i].flags & SBX_PATH_FIXED) &&
            !strncmp(path, base, len) && (path[len] == '/' || len == 1))
            return true;
    }
    return false;
}

/* A rule against writing says nothing where nothing is writable; devices have a /dev of their own. */
static bool matters(const struct sbx_policy *policy, const struct sbx_path_rule *rule,
                    const char *base)
{
    if (!(rule->flags & SBX_PATH_GLOB) || rule->flags & (SBX_PATH_ZONE_D | SBX_PATH_OTHERS))
        return false;
    if (rule->kind == SBX_PATH_DENY_READ)
        return true;
    return rule->kind == SBX_PATH_DENY_WRITE &&
           (sbx_path_decide(policy, base, SBX_OP_WRITE).allowed || opens_below(policy, base));
}

void sbx_globs_walk(const struct sbx_policy *policy, int root_fd, const struct sbx_globs_sink *sink)
{
    uint32_t count;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    struct walk walk = {.sink = sink};
    for (uint32_t i = 0; i < count && !walk.is_over; i++) {
        char base[PATH_MAX];
        walk.glob = sbx_policy_text(policy, rules[i].path);
        base_of(walk.glob, rules[i].literals, base, sizeof(base));
        if (!matters(policy, &rules[i], base))
            continue;
        walk.depth =
            strstr(walk.glob, "**") ? SBX_GLOBS_DEPTH : components(walk.glob) - components(base);
        walk.is_cut = false;
        walk.entries = walk.matches = 0; /* a rule that is worn out must not take others along */
        _cleanup_fd_ int fd = sbx_open_walk(root_fd, base);
        if (fd >= 0)
            visit(&walk, fd, base, 0);
        else
            tell_closed(&walk, -1, base);
        if (walk.is_cut)
            sink->cut(sink->data, walk.glob);
    }
}
