#include "sbxctl/operate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/cleanup.h"
#include "sbxctl/sbxctl.h"

int sbx_operate_check_root(const char *root)
{
    struct stat st;
    if (!root)
        return 0;
    if (stat(root, &st))
        return sbx_usage("--root '%s': %s", root, strerrordesc_np(errno));
    return S_ISDIR(st.st_mode) ? 0 : sbx_usage("--root %s: not a directory", root);
}

int sbx_operate_paths(const char *root, struct sbx_paths *paths)
{
    char self[PATH_MAX] = "", full[PATH_MAX];
    struct sbx_err err = SBX_ERR_INIT;
    if (sbx_operate_check_root(root))
        return SBX_EXIT_USAGE;
    if (root && !realpath(root, full))
        return sbx_usage("--root '%s': %s", root, strerrordesc_np(errno));
    if (root && !full[1])
        root = NULL; /* "/" is the machine itself */
    ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (len <= 0)
        return sbx_usage("cannot tell where this program is: %s", strerrordesc_np(errno));
    if (sbx_paths_init(paths, root ? full : NULL, self, &err))
        return sbx_complain(&err);
    return 0;
}

int sbx_operate_open_dir(const struct sbx_paths *paths, const char *dir)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof(path), "%s%s", paths->root, dir);
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int only_jails(const struct dirent *entry)
{
    return sbx_jail_id_valid(entry->d_name) || sbx_jail_name_retired(entry->d_name);
}

int sbx_jails_kill(const struct sbx_paths *paths, const char *jail, struct sbx_err *err)
{
    int status = sbx_client_kill(paths, jail, err);
    size_t len = strlen(jail);
    int fd = sbx_operate_open_dir(paths, SBX_JAILS_DIR);
    _cleanup_dir_ DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        struct sbx_err own = SBX_ERR_INIT;
        if (!sbx_jail_name_retired(entry->d_name) || strncmp(entry->d_name, jail, len) != 0 ||
            entry->d_name[len] != '~')
            continue;
        bool is_ended = !sbx_client_kill(paths, entry->d_name, &own);
        if (is_ended && status && err->code == SBX_E_GONE)
            status = 0;
        if (!is_ended && own.code != SBX_E_GONE) {
            *err = own;
            status = -1;
        }
    }
    return status;
}

int sbx_jails_each(const struct sbx_paths *paths,
                   int (*visit)(void *data, const char *name, const struct sbx_state *state),
                   void *data, struct sbx_err *err)
{
    _cleanup_fd_ int dirfd = sbx_operate_open_dir(paths, SBX_JAILS_DIR);
    if (dirfd < 0 && errno == ENOENT)
        return 0; /* no jail was ever made since the machine started */
    struct dirent **entries = NULL;
    int found = dirfd < 0 ? -1 : scandirat(dirfd, ".", &entries, only_jails, versionsort);
    if (found < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot list the jails in %s%s", paths->root,
                        SBX_JAILS_DIR);
    int live = 0;
    for (int i = 0; i < found; i++) {
        struct sbx_state state;
        struct sbx_err own = SBX_ERR_INIT;
        if (live >= 0 && !sbx_client_state(paths, entries[i]->d_name, &state, &own)) {
            live = visit(data, entries[i]->d_name, &state) ? -1 : live + 1;
        } else if (live >= 0 && own.code != SBX_E_GONE) {
            *err = own;
            live = sbx_err_prefix(err, "jail %s: ", entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    return live;
}
