/* Watches what the jail's view covers by a mount, and covers again what the host made anew: a file or a
 * directory replaced by another of its name, a socket bound again, something denied that was not there
 * when the view was made.
 *
 * By directory notification, fcntl(2) F_NOTIFY, on every directory that leads there: one signal for
 * whatever changes, so everything is looked at, which is a stat a path. inotify(7) would say more, but
 * root has 128 instances of it on a whole machine, and they are not for jails to use up. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jail/guard.h"
#include "jail/open.h"
#include "policy/cleanup.h"
#include "warden/warden.h"

#define GUARDS_MAX      2048u
#define DIRECTORIES_MAX 512u
#define RESTORES_MAX    2048u /* each is one more mount in the jail */
#define REST_MS         10

struct guarded {
    struct sbx_guard guard; /* its object: what was covered last */
    bool is_unsure;         /* or perhaps was not: names moved while it was done */
};

struct directory {
    char *path;
    struct sbx_object object; /* that is watched */
    int fd;                   /* the watch lasts as long as it is open */
};

struct sbx_watch {
    struct guarded guarded[GUARDS_MAX];
    struct directory directory[DIRECTORIES_MAX];
    size_t guarded_count, directory_count;
    unsigned restores;
    bool is_noticed, is_unsure; /* a signal came; a guard is unsure */
    int64_t next_ms;
};

static void note(struct sbx_warden *warden, const char *path, const char *what)
{
    char text[PATH_MAX + 128];
    (void)snprintf(text, sizeof(text), "%s%s", path, what);
    sbx_warden_tell(warden, "note", text);
}

/* Opens what has that name on the host now. A directory of the account's may be on the way: its links
 * are not followed. */
static int look(int root_fd, const char *path, struct sbx_object *object)
{
    _cleanup_fd_ int fd = sbx_open_walk(root_fd, path);
    return sbx_object_of(fd, object) ? sbx_steal_fd(&fd) : -1;
}

/* Told by the builder while it makes the view. */
void sbx_watch_add(struct sbx_warden *warden, const struct sbx_guard *guard)
{
    struct sbx_watch *watch = warden->watch;
    if (!watch)
        watch = warden->watch =
            calloc(1, sizeof(*watch)); /* pages that stay untouched until used */
    char *path = watch && watch->guarded_count < GUARDS_MAX && guard->path[0] == '/'
                     ? strdup(guard->path)
                     : NULL;
    if (!path) {
        sbx_warden_tell(warden, "note", "too many single paths are protected to watch all of them");
        return;
    }
    struct guarded *added = &watch->guarded[watch->guarded_count++];
    added->guard = *guard;
    added->guard.path = path;
}

/* --- directories ------------------------------------------------------------------------------ */
/* True where it was added. */
static bool add_directory(struct sbx_watch *watch, const char *path, size_t len)
{
    for (size_t i = watch->directory_count; i-- > 0;) /* neighbours come one after the other */
        if (!strncmp(watch->directory[i].path, path, len) && !watch->directory[i].path[len])
            return true;
    char *copy = watch->directory_count < DIRECTORIES_MAX ? strndup(path, len) : NULL;
    if (!copy)
        return false;
    watch->directory[watch->directory_count++] = (struct directory){.path = copy, .fd = -1};
    return true;
}

/* Every directory on the way, from the root on: each of them can be made anew, too. */
static bool add_way(struct sbx_watch *watch, const char *path)
{
    bool is_added = add_directory(watch, "/", 1);
    for (const char *end = path; is_added && (end = strchr(end + 1, '/'));)
        is_added = add_directory(watch, path, (size_t)(end - path));
    return is_added;
}

/* Watches what has the directory's name now. False where something is there and cannot be watched. */
static bool follow(int root_fd, struct directory *directory)
{
    struct sbx_object now;
    _cleanup_fd_ int place = look(root_fd, directory->path, &now);
    if (sbx_object_is(&now, &directory->object))
        return true;
    sbx_cleanup_fd(&directory->fd);
    directory->fd = -1;
    directory->object = now;
    if (place < 0)
        return true;
    _cleanup_fd_ int fd = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) /* a file, for now */
        return errno == ENOTDIR;
    if (fcntl(fd, F_NOTIFY, DN_CREATE | DN_RENAME | DN_MULTISHOT))
        return false;
    directory->fd = sbx_steal_fd(&fd);
    return true;
}

/* --- looking ------------------------------------------------------------------------------------ */
/* True where the guard's object is covered for sure. */
static bool restore(struct sbx_warden *warden, const struct sbx_guard *guard)
{
    struct sbx_err err = SBX_ERR_INIT;
    bool is_done = false;
    char file[sizeof(warden->run_path) + 32], dir[sizeof(warden->run_path) + 32];
    bool is_cover = guard->kind == SBX_GUARD_COVER; /* passwd, group: of the same name there */
    (void)snprintf(file, sizeof(file), "%s/%s", warden->run_path,
                   is_cover ? strrchr(guard->path, '/') + 1 : "mask/file");
    (void)snprintf(dir, sizeof(dir), "%s/mask/dir", warden->run_path);
    int status = warden->watch->restores < RESTORES_MAX
                     ? sbx_guard_restore(warden->jail.init_pidfd, guard, file, dir, &is_done, &err)
                     : sbx_fail(&err, SBX_E_LIMIT, 0, "%s was made anew too often", guard->path);
    if (status) {
        /* What cannot be protected any more ends the jail: that much is always in our power. */
        sbx_warden_tell(warden, "note", err.message);
        sbx_warden_end(warden, "a protected path was made anew and cannot be protected again");
    }
    warden->watch->restores += is_done;
    return is_done;
}

static void look_at_one(struct sbx_warden *warden, int root_fd, struct guarded *guarded,
                        bool is_quiet)
{
    struct sbx_guard *guard = &guarded->guard;
    struct sbx_object now;
    _cleanup_fd_ int fd = look(root_fd, guard->path, &now);
    bool is_same = sbx_object_is(&now, &guard->object);
    if (is_same && (is_quiet || !guarded->is_unsure)) {
        /* No name has moved since the last look: what was found covered in the jail was this. */
        guarded->is_unsure = false;
        return;
    }
    guard->object = now;
    guarded->is_unsure = fd >= 0 && !restore(warden, guard);
    warden->watch->is_unsure |= guarded->is_unsure;
}

/* First the directories, parents before children: what appears below one after that makes a signal. */
static void look_at_all(struct sbx_warden *warden, bool is_first)
{
    struct sbx_watch *watch = warden->watch;
    bool is_quiet = !is_first && !watch->is_noticed;
    watch->is_noticed = watch->is_unsure = false;
    _cleanup_fd_ int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; i < watch->directory_count; i++)
        if (!follow(root, &watch->directory[i]) && is_first)
            note(warden, watch->directory[i].path,
                 ": cannot be watched; what is denied below it and made anew stays open until the "
                 "jail ends");
    for (size_t i = 0; i < watch->guarded_count && !warden->is_ending; i++)
        look_at_one(warden, root, &watch->guarded[i], is_quiet);
}

/* After the build, when all is known. What cannot be watched is told. */
int sbx_watch_start(struct sbx_warden *warden, struct sbx_err *err)
{
    struct sbx_watch *watch = warden->watch;
    (void)err;
    if (!watch)
        return 0;
    for (size_t i = 0; i < watch->guarded_count; i++)
        if (!add_way(watch, watch->guarded[i].guard.path))
            note(warden, watch->guarded[i].guard.path, ": cannot be watched; deny fewer places");
    look_at_all(warden, true); /* what was made anew since it was covered */
    return 0;
}

void sbx_watch_notice(struct sbx_warden *warden)
{
    if (warden->watch)
        warden->watch->is_noticed = true;
}

static bool is_due(const struct sbx_watch *watch)
{
    return watch && (watch->is_noticed || watch->is_unsure);
}

int64_t sbx_watch_due(const struct sbx_warden *warden)
{
    return is_due(warden->watch) ? warden->watch->next_ms + 1 : 0;
}

bool sbx_watch_rests(const struct sbx_warden *warden, int64_t now)
{
    return is_due(warden->watch) && now <= warden->watch->next_ms;
}

/* The first change is looked at at once. After that comes a rest, longer than the look took, in which
 * no change wakes the warden: who makes files in a watched directory all the time must not have the
 * processor, which the warden takes from outside the jail's limits. */
void sbx_watch_tend(struct sbx_warden *warden, int64_t now)
{
    struct sbx_watch *watch = warden->watch;
    if (!is_due(watch) || now <= watch->next_ms)
        return;
    look_at_all(warden, false);
    int64_t after = sbx_now_ms();
    watch->next_ms = after + REST_MS + 4 * (after - now);
}
