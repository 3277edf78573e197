/* Where the programs and the state directories are. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "warden/client.h"

static int copy_text(char *out, size_t size, const char *text, size_t len, struct sbx_err *err)
{
    if (len >= size)
        return sbx_fail(err, SBX_E_LIMIT, 0, "path longer than %zu bytes", size - 1);
    memcpy(out, text, len);
    out[len] = '\0';
    return 0;
}

static int find_programs(struct sbx_paths *paths, const char *self, struct sbx_err *err)
{
    const char *slash = self ? strrchr(self, '/') : NULL;
    if (slash && self[0] == '/') {
        char warden[sizeof(paths->programs) + sizeof("/sbx-warden")];
        size_t len = (size_t)(slash - self);
        if (copy_text(paths->programs, sizeof(paths->programs), self, len, err))
            return -1;
        (void)snprintf(warden, sizeof(warden), "%s/sbx-warden", paths->programs);
        if (!access(warden, X_OK))
            return 0;
    }
    return copy_text(paths->programs, sizeof(paths->programs), SBX_LIBEXECDIR,
                     strlen(SBX_LIBEXECDIR), err);
}

int sbx_paths_init(struct sbx_paths *paths, const char *root, const char *self, struct sbx_err *err)
{
    memset(paths, 0, sizeof(*paths));
    if (root && root[0] != '/')
        return sbx_fail(err, SBX_E_USAGE, 0, "root '%s' is not an absolute path", root);
    size_t len = root ? strlen(root) : 0;
    while (len && root[len - 1] == '/')
        len--;
    if (len && copy_text(paths->root, sizeof(paths->root), root, len, err))
        return -1;
    return find_programs(paths, self, err);
}

/* The rule for every directory on the way, checked on the descriptor that is used afterwards. */
static int check_directory(int fd, bool is_ours, const char *dir, struct sbx_err *err)
{
    struct stat st;
    if (fstat(fd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot look at %s", dir);
    if (st.st_uid != 0 && st.st_uid != geteuid())
        return sbx_fail(err, SBX_E_TRUST, 0,
                        "%s belongs to uid %u, and must be root's (chown root)", dir,
                        (unsigned)st.st_uid);
    if (st.st_mode & (is_ours ? 022 : 002))
        return sbx_fail(err, SBX_E_TRUST, 0, "%s: mode %04o lets others write (chmod go-w)", dir,
                        st.st_mode & 07777);
    return 0;
}

static int make_directory(int parent, const char *name, mode_t mode)
{
    if (mkdirat(parent, name, mode))
        return errno == EEXIST ? 0 : -1;
    /* The umask is the login program's, for su even its caller's. */
    return fchmodat(parent, name, mode, 0);
}

struct step {
    char name[64];
    bool is_last;
    bool is_ours; /* from .../sbx on */
};

static int step_into(int parent, const struct step *step, mode_t mode, const char *dir,
                     struct sbx_err *err)
{
    const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    _cleanup_fd_ int fd = openat(parent, step->name, flags);
    if (fd < 0 && errno == ENOENT && mode) {
        if (make_directory(parent, step->name, step->is_last ? mode : 0755))
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make %s", dir);
        fd = openat(parent, step->name, flags);
    }
    if (fd < 0)
        return sbx_fail(err, errno == ENOENT ? SBX_E_GONE : SBX_E_SYSTEM, errno, "cannot open %s",
                        dir);
    if (check_directory(fd, step->is_ours, dir, err))
        return -1;
    return sbx_steal_fd(&fd);
}

int sbx_paths_open(const struct sbx_paths *paths, const char *dir, mode_t mode, struct sbx_err *err)
{
    const char *root = paths->root[0] ? paths->root : "/";
    _cleanup_fd_ int at = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (at < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open %s", root);
    if (check_directory(at, false, root, err))
        return -1;
    struct step step = {.is_ours = false};
    char label[PATH_MAX]; /* as far as the way has been gone */
    const char *whole = dir;
    while (*dir == '/') {
        const char *name = dir + 1, *end = strchrnul(name, '/');
        if (copy_text(step.name, sizeof(step.name), name, (size_t)(end - name), err))
            return -1;
        step.is_last = *end == '\0';
        step.is_ours = step.is_ours || !strcmp(step.name, "sbx");
        (void)snprintf(label, sizeof(label), "%s%.*s", paths->root, (int)(end - whole), whole);
        int next = step_into(at, &step, mode, label, err);
        if (next < 0)
            return -1;
        (void)close(at);
        at = next;
        dir = end;
    }
    return sbx_steal_fd(&at);
}

bool sbx_jail_name_retired(const char *name)
{
    char jail[SBX_JAIL_ID_BYTES];
    size_t len = strcspn(name, "~");
    if (len >= sizeof(jail) || !name[len] || !name[len + 1])
        return false;
    memcpy(jail, name, len);
    jail[len] = '\0';
    return sbx_jail_id_valid(jail) && !name[len + 1 + strspn(name + len + 1, "0123456789")];
}

bool sbx_jail_id_valid(const char *jail)
{
    size_t digits = strspn(jail, "0123456789");
    if (!digits || strlen(jail) >= SBX_JAIL_ID_BYTES)
        return false;
    if (!jail[digits])
        return true;
    size_t more = strspn(jail + digits + 1, "0123456789");
    return jail[digits] == '-' && more && !jail[digits + 1 + more];
}
