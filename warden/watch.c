/* Watches the directories of files that the jail's view covers by a mount, and covers a file again that
 * the host replaced by another of its name. inotify(7). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>

#include "jail/guard.h"
#include "jail/open.h"
#include "policy/cleanup.h"
#include "warden/warden.h"

#define GUARDS_MAX 2048u

/* Told by the builder while it makes the view: "mPATH", "rPATH", "cPATH". */
void sbx_watch_add(struct sbx_warden *warden, const char *guard)
{
    if (warden->guard_count < GUARDS_MAX && guard[0] && guard[1] == '/') {
        char **grown = reallocarray(warden->guards, warden->guard_count + 1, sizeof(*grown));
        char *copy = strdup(guard);
        if (grown)
            warden->guards = grown;
        if (grown && copy) {
            warden->guards[warden->guard_count++] = copy;
            return;
        }
        free(copy);
    }
    sbx_warden_tell(warden, "note",
                    "too many single files are protected to watch all of them; "
                    "deny directories instead");
}

static void watch_parent(struct sbx_warden *warden, int root_fd, const char *path)
{
    char parent[PATH_MAX], name[64];
    const char *slash = strrchr(path, '/');
    (void)snprintf(parent, sizeof(parent), "%.*s", slash == path ? 1 : (int)(slash - path), path);
    /* By descriptor: the directory may be the account's, and its links are not followed. */
    _cleanup_fd_ int fd = sbx_open_walk(root_fd, parent);
    (void)snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    if (fd < 0 ||
        inotify_add_watch(warden->watch_fd, name, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR) < 0) {
        char text[PATH_MAX + 64];
        (void)snprintf(text, sizeof(text), "%s: cannot be watched; deny the directory", path);
        sbx_warden_tell(warden, "note", text);
    }
}

/* The kernel counts instances by effective uid and has 128 for each: root's would be gone with that many
 * jails. With the account's nobody is kept out but who used them up, and watches themselves are added
 * with root's rights. */
static int open_watch(uid_t uid)
{
    if (seteuid(uid))
        return -1;
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    int errnum = errno;
    if (seteuid(0)) {
        sbx_cleanup_fd(&fd);
        return -1;
    }
    errno = errnum;
    return fd;
}

/* After the build, when all is known. Watching the same directory twice is one watch. */
int sbx_watch_start(struct sbx_warden *warden, struct sbx_err *err)
{
    warden->watch_fd = open_watch(warden->account.uid);
    _cleanup_fd_ int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (warden->watch_fd < 0 || root < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot watch the protected files");
    for (size_t i = 0; i < warden->guard_count; i++)
        watch_parent(warden, root, warden->guards[i] + 1);
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

/* Something appeared in a watched directory: every guarded file of that name is looked at. After an
 * overrun all are. */
void sbx_watch_read(struct sbx_warden *warden)
{
    union {
        struct inotify_event event;
        char bytes[16384];
    } buffer;
    ssize_t size = read(warden->watch_fd, &buffer, sizeof(buffer));
    for (ssize_t at = 0; at < size && !warden->is_ending;) {
        const struct inotify_event *event =
            (const struct inotify_event *)(const void *)(buffer.bytes + at);
        for (size_t i = 0; i < warden->guard_count; i++)
            if (event->mask & IN_Q_OVERFLOW ||
                (event->len && !strcmp(event->name, strrchr(warden->guards[i], '/') + 1)))
                restore(warden, warden->guards[i]);
        at += (ssize_t)(sizeof(*event) + event->len);
    }
}
