/* Watches the directories of files that the jail's view covers by a mount, and covers a file again that
 * the host replaced by another of its name.
 *
 * By directory notification, fcntl(2) F_NOTIFY: one signal for whatever changes, so everything is
 * looked at, which is a stat a file. inotify(7) would say more, but root has 128 instances of it on a
 * whole machine, and they are not for jails to use up. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "jail/guard.h"
#include "jail/open.h"
#include "policy/cleanup.h"
#include "warden/warden.h"

#define GUARDS_MAX 2048u

struct sbx_guarded {
    char *guard; /* kind and path */
    dev_t dev;   /* of the file on the host that was covered last; 0: none */
    ino_t ino;
};

/* The file of that name on the host now. A directory of the account's may be on the way: its links are
 * not followed. */
static void look(const char *path, dev_t *dev, ino_t *ino)
{
    struct stat st;
    _cleanup_fd_ int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    _cleanup_fd_ int fd = root < 0 ? -1 : sbx_open_walk(root, path);
    bool is_there = fd >= 0 && !fstat(fd, &st);
    *dev = is_there ? st.st_dev : 0;
    *ino = is_there ? st.st_ino : 0;
}

/* Told by the builder while it makes the view: "mPATH", "rPATH", "cPATH". */
void sbx_watch_add(struct sbx_warden *warden, const char *guard)
{
    if (warden->guard_count < GUARDS_MAX && guard[0] && guard[1] == '/') {
        struct sbx_guarded *grown =
            reallocarray(warden->guards, warden->guard_count + 1, sizeof(*grown));
        struct sbx_guarded added = {.guard = strdup(guard)};
        if (grown)
            warden->guards = grown;
        if (grown && added.guard) {
            look(guard + 1, &added.dev, &added.ino);
            warden->guards[warden->guard_count++] = added;
            return;
        }
        free(added.guard);
    }
    sbx_warden_tell(warden, "note",
                    "too many single files are protected to watch all of them; "
                    "deny directories instead");
}

static bool is_watched(const struct sbx_warden *warden, size_t before, const char *path, size_t len)
{
    for (size_t i = 0; i < before; i++) {
        const char *other = warden->guards[i].guard + 1;
        if (!strncmp(other, path, len + 1) && !strchr(other + len + 1, '/'))
            return true;
    }
    return false;
}

/* The descriptor stays open as long as the warden lives: the watch goes with it. */
static int watch_directory(int root_fd, const char *path, size_t len)
{
    char parent[PATH_MAX];
    (void)snprintf(parent, sizeof(parent), "%.*s", len ? (int)len : 1, path);
    _cleanup_fd_ int place = sbx_open_walk(root_fd, parent);
    _cleanup_fd_ int fd = place < 0 ? -1 : openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || fcntl(fd, F_SETSIG, SIGRTMIN) ||
        fcntl(fd, F_NOTIFY, DN_CREATE | DN_RENAME | DN_MULTISHOT))
        return -1;
    (void)sbx_steal_fd(&fd);
    return 0;
}

/* After the build, when all is known. What cannot be watched is told. */
int sbx_watch_start(struct sbx_warden *warden, struct sbx_err *err)
{
    _cleanup_fd_ int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot watch the protected files");
    for (size_t i = 0; i < warden->guard_count; i++) {
        const char *path = warden->guards[i].guard + 1;
        size_t len = (size_t)(strrchr(path, '/') - path);
        if (is_watched(warden, i, path, len) || !watch_directory(root, path, len))
            continue;
        char text[PATH_MAX + 64];
        (void)snprintf(text, sizeof(text), "%s: cannot be watched; deny the directory", path);
        sbx_warden_tell(warden, "note", text);
    }
    sbx_watch_look(warden); /* what was replaced since it was covered */
    return 0;
}

static void restore(struct sbx_warden *warden, const char *guard)
{
    struct sbx_err err = SBX_ERR_INIT;
    char cover[sizeof(warden->run_path) + 32];
    const char *path = guard + 1, *name = strrchr(path, '/') + 1;
    (void)snprintf(cover, sizeof(cover), "%s/%s", warden->run_path,
                   guard[0] == SBX_GUARD_MASK ? "mask/file" : name);
    if (sbx_guard_restore(warden->jail.init_pidfd, (enum sbx_guard_kind)guard[0], path, cover,
                          &err)) {
        /* What cannot be protected any more ends the jail: that much is always in our power. */
        sbx_warden_tell(warden, "note", err.message);
        sbx_warden_end(warden, "a protected file was replaced and cannot be protected again");
    }
}

/* Something changed in a watched directory. */
void sbx_watch_look(struct sbx_warden *warden)
{
    for (size_t i = 0; i < warden->guard_count && !warden->is_ending; i++) {
        struct sbx_guarded *guarded = &warden->guards[i];
        dev_t dev;
        ino_t ino;
        look(guarded->guard + 1, &dev, &ino);
        if (dev == guarded->dev && ino == guarded->ino)
            continue;
        guarded->dev = dev;
        guarded->ino = ino;
        if (ino)
            restore(warden, guarded->guard);
    }
}
