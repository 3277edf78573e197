#include "jail/view.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "jail/guard.h"
#include "jail/matches.h"
#include "jail/mount.h"
#include "jail/root.h"
#include "jail/sys.h"
#include "policy/cleanup.h"

#define DEVPTS_MAX   "256"
#define TMPFS_INODES "262144"
#define STEP_TRIES   3
#define OWN_TMPFS    16
#define READ_ONLY    ((uint64_t)(SBX_MOUNT_ATTR_RDONLY | SBX_MOUNT_ATTR_NOSUID | SBX_MOUNT_ATTR_NODEV))
#define WRITABLE     ((uint64_t)(SBX_MOUNT_ATTR_NOSUID | SBX_MOUNT_ATTR_NODEV))

struct view {
    const struct sbx_view_input *input;
    struct sbx_opener opener;
    int host_fd, root_fd;
    dev_t own[OWN_TMPFS]; /* file systems of ours: the only ones a name is ever made on */
    unsigned own_count;
};

static int fail(struct sbx_err *err, int errnum, const char *aim, const char *path)
{
    return sbx_fail(err, SBX_E_MOUNT, errnum, "cannot %s %s", aim, path);
}

static void note(const struct view *view, const char *path, const char *why)
{
    char text[PATH_MAX + 128];
    (void)snprintf(text, sizeof(text), "%s: %s", path, why);
    view->input->note(view->input->data, text);
}

static bool is_own(const struct view *view, int fd)
{
    struct stat st;
    if (fstat(fd, &st))
        return false;
    for (unsigned i = 0; i < view->own_count; i++)
        if (view->own[i] == st.st_dev)
            return true;
    return false;
}

/* --- mounts ------------------------------------------------------------------------------------- */
static int copy_tree(int fd, uint64_t attributes) /* with all that is mounted below */
{
    return sbx_mount_copy(fd, attributes, SBX_AT_RECURSIVE);
}

static int new_tmpfs(struct view *view, uint64_t bytes, unsigned mode)
{
    char size[32], mode_text[16];
    (void)snprintf(size, sizeof(size), "%llu", (unsigned long long)bytes);
    (void)snprintf(mode_text, sizeof(mode_text), "%o", mode);
    const struct sbx_mount_option options[] = {
        {"size",      size        },
        {"mode",      mode_text   },
        {"nr_inodes", TMPFS_INODES},
        {NULL,        NULL        }
    };
    _cleanup_fd_ int fd = sbx_mount_new("tmpfs", options, WRITABLE);
    struct stat st;
    if (fd < 0 || fstat(fd, &st))
        return -1;
    if (view->own_count == OWN_TMPFS) {
        errno = E2BIG;
        return -1;
    }
    view->own[view->own_count++] = st.st_dev;
    return sbx_steal_fd(&fd);
}

/* --- places in the new root ------------------------------------------------------------------- */
/* Opens the directory `name` below dir_fd, making it where it is absent. Names are made on our own
 * file systems alone: a directory made on a bound tree would stay on the host. */
static int enter_or_make(struct view *view, int dir_fd, const char *name)
{
    int fd = openat(dir_fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 || errno != ENOENT)
        return fd;
    if (!is_own(view, dir_fd)) {
        errno = ENOENT;
        return -1;
    }
    struct stat st;
    mode_t mode = !fstat(dir_fd, &st) && (st.st_mode & 0777) == 0111 ? 0111 : 0755;
    if (mkdirat(dir_fd, name, mode) && errno != EEXIST)
        return -1;
    return openat(dir_fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Opens the parent of an absolute path in the new root, making what is absent, and sets *leaf. */
static int make_parents(struct view *view, const char *path, const char **leaf)
{
    const char *slash = strrchr(path, '/');
    *leaf = slash + 1;
    int fd = fcntl(view->root_fd, F_DUPFD_CLOEXEC, 3);
    for (const char *p = path + 1; fd >= 0 && p <= slash;) {
        size_t len = strcspn(p, "/");
        char name[NAME_MAX + 1];
        if (len > NAME_MAX) {
            errno = ENAMETOOLONG;
            len = 0;
        } else {
            memcpy(name, p, len);
        }
        name[len] = '\0';
        int next = len ? enter_or_make(view, fd, name) : -1;
        int saved = errno;
        (void)close(fd);
        errno = saved;
        fd = next;
        p += len + 1;
    }
    return fd;
}

/* The place for a mount: what is there, or a new directory or empty file on a file system of ours. */
static int make_place(struct view *view, const char *path, bool is_directory)
{
    int fd = sbx_open_walk(view->root_fd, path);
    if (fd >= 0 || errno != ENOENT)
        return fd;
    const char *leaf;
    _cleanup_fd_ int parent = make_parents(view, path, &leaf);
    if (parent < 0)
        return -1;
    if (is_directory)
        return enter_or_make(view, parent, leaf);
    if (!is_own(view, parent)) {
        errno = ENOENT;
        return -1;
    }
    _cleanup_fd_ int made =
        openat(parent, leaf, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
    if (made < 0)
        return -1;
    return openat(parent, leaf, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

/* The two ends of a bind: what is to be seen, and where it goes in the new root. */
struct ends {
    int source, place;
    int source_errno, place_errno;
};

static void close_ends(const struct ends *ends)
{
    if (ends->source >= 0)
        (void)close(ends->source);
    if (ends->place >= 0)
        (void)close(ends->place);
}

static void walk_end(int root_fd, const char *path, int *fd, int *errnum)
{
    *fd = sbx_open_walk(root_fd, path);
    *errnum = *fd < 0 ? errno : 0;
}

/* With the account's credentials where the step asks for them. A guard does not depend on modes: the
 * account could take its own way there away until the jail stands, and give it back inside. */
static void open_ends(const struct view *view, const struct sbx_step *step, struct ends *ends)
{
    bool as_account = (step->flags & SBX_STEP_ACCOUNT) != 0; /* then both have one name */
    bool is_guard = (step->flags & SBX_STEP_GUARD) != 0;
    if (as_account) {
        struct sbx_opened opened;
        sbx_opener_open(&view->opener, step->path, &opened);
        *ends = (struct ends){opened.host_fd, opened.new_fd, opened.host_errno, opened.new_errno};
    }
    if (!as_account || (is_guard && ends->source_errno == EACCES))
        walk_end(view->host_fd, step->source, &ends->source, &ends->source_errno);
    if (!as_account || (is_guard && ends->place_errno == EACCES))
        walk_end(view->root_fd, step->path, &ends->place, &ends->place_errno);
}

static int open_present(const struct view *view, const struct sbx_step *step)
{
    return sbx_open_walk(view->root_fd, step->path);
}

/* Why a guard has nothing to do. All else means that it could not be told, and the jail must not be. */
static bool is_absent(int errnum)
{
    return errnum == ENOENT || errnum == ENOTDIR || errnum == ELOOP;
}

/* --- steps -------------------------------------------------------------------------------------- */
static int do_dir(struct view *view, const struct sbx_step *step, struct sbx_err *err)
{
    _cleanup_fd_ int fd = make_place(view, step->path, true);
    return fd < 0 ? fail(err, errno, "make", step->path) : 0;
}

static int do_link(struct view *view, const struct sbx_step *step, struct sbx_err *err)
{
    const char *leaf;
    _cleanup_fd_ int parent = make_parents(view, step->path, &leaf);
    if (parent < 0 || !is_own(view, parent) || symlinkat(step->source, parent, leaf))
        return fail(err, errno, "make the link", step->path);
    return 0;
}

static int check_home(const struct view *view, const struct sbx_step *step, const struct stat *st,
                      struct sbx_err *err)
{
    if (!S_ISDIR(st->st_mode))
        return sbx_fail(err, SBX_E_MOUNT, 0, "the home %s is not a directory", step->path);
    if (st->st_uid != view->input->account.uid)
        return sbx_fail(err, SBX_E_MOUNT, 0,
                        "the home %s belongs to uid %u, not to %s; give it back with chown",
                        step->path, st->st_uid, view->input->account_name);
    return 0;
}

/* Why a path that policy names could not be opened. Of what must be there: no jail; of the rest: a
 * note, or no word where policy only takes away. */
static int missing(const struct view *view, const struct sbx_step *step, int errnum,
                   struct sbx_err *err)
{
    static const struct {
        int errnum;
        const char *why;
    } reasons[] = {
        {ELOOP,        "leads through a symbolic link that is not root's; put the real path into policy "
                "or passwd"                                                              },
        {ENOENT,       "does not exist; make it, owned by the account"                                  },
        {EROFS,        "is on a read-only mount; remount it read-write, or name another place in policy"},
        {ENOTDIR,      "is not a directory; move what is there out of the way"                          },
        {EACCES,
         "cannot be reached with the account's rights; check the modes of the directories above"        },
        {ETOOMANYREFS,
         "cannot be opened: programs of the account's other jails have too many "
         "descriptors under way in sockets; end those jails (sbxctl jails, sbxctl kill)"                },
    };
    const char *why = strerrordesc_np(errnum);
    if (step->flags & SBX_STEP_GUARD && !is_absent(errnum))
        return fail(err, errnum, "protect", step->path);
    for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
        if (reasons[i].errnum == errnum)
            why = reasons[i].why;
    if (step->flags & SBX_STEP_MUST || (step->flags & SBX_STEP_STRICT && errnum != ENOENT))
        return sbx_fail(err, SBX_E_MOUNT, 0, "%s %s", step->path, why);
    if (step->flags & SBX_STEP_TELL)
        note(view, step->path, why);
    else if (!(step->flags & (SBX_STEP_OPTIONAL | SBX_STEP_PRESENT | SBX_STEP_MISSING)))
        return sbx_fail(err, SBX_E_MOUNT, 0, "%s %s", step->path, why);
    return 0;
}

static bool is_same(const struct stat *a, int fd)
{
    struct stat b;
    return !fstat(fd, &b) && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* Takes hold of the place in the view for a source that is held already. What is seen there must be
 * the very object, unless it was made by us: a name swapped meanwhile must not get the mount. */
static int hold_place(struct view *view, const struct sbx_step *step, struct ends *ends,
                      const struct stat *st, struct sbx_err *err)
{
    if (ends->place < 0 && ends->place_errno == ENOENT) {
        ends->place = make_place(view, step->path, S_ISDIR(st->st_mode));
        ends->place_errno = errno;
    }
    if (ends->place < 0)
        return fail(err, ends->place_errno, "find a place in the view for", step->path);
    bool has_moved = strcmp(step->path, step->source) != 0; /* session, passwd, group */
    if (!has_moved && !is_own(view, ends->place) && !is_same(st, ends->place))
        return sbx_fail(err, SBX_E_MOUNT, 0, "%s changed while the jail was built; log in again",
                        step->path);
    return 0;
}

/* What lies below our own places is of nobody else's making. `fd` is what is covered, -1: nothing. */
static void tell_guard(const struct view *view, enum sbx_guard_kind kind, const char *path, int fd)
{
    struct sbx_guard guard = {.kind = kind, .path = path};
    static const char *const ours[] = {"/proc/", "/sys/", "/run/", "/dev/"};
    for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
        if (!strncmp(path, ours[i], strlen(ours[i])))
            return;
    (void)sbx_object_of(fd, &guard.object);
    view->input->guard(view->input->data, &guard);
}

/* Nothing is there to be masked. On a tree of the host's it may come while the jail lives; on a file
 * system of ours nothing comes any more. */
static void tell_absent(const struct view *view, enum sbx_guard_kind kind, const char *path)
{
    _cleanup_fd_ int above = sbx_open_above(view->root_fd, path);
    if (above >= 0 && !is_own(view, above))
        tell_guard(view, kind, path, -1);
}

static int bind_ends(struct view *view, const struct sbx_step *step, struct ends *ends,
                     struct sbx_err *err)
{
    if (ends->place < 0 && step->flags & SBX_STEP_GUARD && is_absent(ends->place_errno))
        tell_absent(view, SBX_GUARD_FREEZE, step->path);
    if (step->flags & (SBX_STEP_PRESENT | SBX_STEP_MISSING)) {
        if (ends->place < 0 && step->flags & SBX_STEP_GUARD)
            return missing(view, step, ends->place_errno, err);
        if ((ends->place >= 0) == ((step->flags & SBX_STEP_MISSING) != 0))
            return 0;
    }
    if (ends->source < 0)
        return missing(view, step, ends->source_errno, err);
    struct stat st;
    struct statvfs fs;
    if (fstat(ends->source, &st) || fstatvfs(ends->source, &fs))
        return fail(err, errno, "look at", step->source);
    if (step->flags & SBX_STEP_HOME && check_home(view, step, &st, err))
        return -1;
    if (step->flags & SBX_STEP_WRITABLE && fs.f_flag & ST_RDONLY)
        return missing(view, step, EROFS, err);
    if (step->flags & SBX_STEP_STRICT && !S_ISDIR(st.st_mode))
        return missing(view, step, ENOTDIR, err);
    if (hold_place(view, step, ends, &st, err))
        return -1;
    _cleanup_fd_ int tree =
        copy_tree(ends->source, step->flags & SBX_STEP_WRITABLE ? WRITABLE : READ_ONLY);
    if (tree < 0 || sbx_mount_attach(tree, ends->place))
        return fail(err, errno, "bind", step->path);
    bool is_cover = strcmp(step->path, step->source) != 0;
    if (step->flags & SBX_STEP_GUARD || (S_ISREG(st.st_mode) && !(step->flags & SBX_STEP_WRITABLE)))
        tell_guard(view, is_cover ? SBX_GUARD_COVER : SBX_GUARD_FREEZE, step->path, ends->place);
    return 0;
}

static int do_bind(struct view *view, const struct sbx_step *step, struct sbx_err *err)
{
    struct ends ends;
    open_ends(view, step, &ends);
    int status = bind_ends(view, step, &ends, err);
    close_ends(&ends);
    return status;
}

static int do_copy(struct view *view, const struct sbx_step *step, struct sbx_err *err)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(view->host_fd, step->source + 1, target, sizeof(target) - 1);
    if (n < 0 && errno == EINVAL)
        return do_bind(view, step, err);
    if (n < 0)
        return errno == ENOENT ? 0 : fail(err, errno, "read", step->source);
    target[n] = '\0';
    const struct sbx_step link = {SBX_STEP_LINK, 0, step->path, target, 0, 0};
    return do_link(view, &link, err);
}

static int do_self(struct view *view, const struct sbx_step *step, struct sbx_err *err)
{
    _cleanup_fd_ int place = open_present(view, step);
    if (place < 0)
        return missing(view, step, errno, err);
    uint64_t attributes = step->flags & SBX_STEP_WRITABLE ? WRITABLE : READ_ONLY;
    _cleanup_fd_ int tree = copy_tree(place, attributes);
    if (tree < 0 || sbx_mount_attach(tree, place))
        return fail(err, errno, "pin", step->path);
    if (step->flags & SBX_STEP_GUARD && !(step->flags & SBX_STEP_WRITABLE))
        tell_guard(view, SBX_GUARD_FREEZE, step->path, place);
    return 0;
}

static int do_tmpfs(struct view *view, const struct sbx_step *step, struct sbx_err *err)
{
    _cleanup_fd_ int place = make_place(view, step->path, true);
    _cleanup_fd_ int fd = place < 0 ? -1 : new_tmpfs(view, step->size_bytes, step->mode);
    if (fd < 0 || sbx_mount_attach(fd, place))
        return fail(err, errno, "mount a tmpfs on", step->path);
    return 0;
}

static int do_kernel_fs(struct view *view, const struct sbx_step *step, struct sbx_err *err)
{
    static const struct sbx_mount_option pts[] = {
        {"ptmxmode", "0666"    },
        {"mode",     "0620"    },
        {"gid",      "5"       },
        {"max",      DEVPTS_MAX},
        {NULL,       NULL      }
    };
    const char *type = step->kind == SBX_STEP_PROC    ? "proc"
                       : step->kind == SBX_STEP_SYSFS ? "sysfs"
                                                      : "devpts";
    uint64_t attributes = SBX_MOUNT_ATTR_NOSUID | SBX_MOUNT_ATTR_NOEXEC;
    if (step->kind != SBX_STEP_DEVPTS)
        attributes |= SBX_MOUNT_ATTR_NODEV;
    if (step->kind == SBX_STEP_SYSFS)
        attributes |= SBX_MOUNT_ATTR_RDONLY;
    _cleanup_fd_ int place = make_place(view, step->path, true);
    _cleanup_fd_ int fd =
        place < 0 ? -1
                  : sbx_mount_new(type, step->kind == SBX_STEP_DEVPTS ? pts : NULL, attributes);
    if (fd < 0 || sbx_mount_attach(fd, place))
        return fail(err, errno, "mount", step->path);
    return 0;
}

static int do_node(struct view *view, const struct sbx_step *step, struct sbx_err *err)
{
    _cleanup_fd_ int source = sbx_open_walk(view->host_fd, step->source);
    struct stat st;
    if (source < 0 || fstat(source, &st))
        return fail(err, errno, "open", step->source);
    if (!S_ISCHR(st.st_mode))
        return sbx_fail(err, SBX_E_MOUNT, 0, "%s is not a character device", step->source);
    _cleanup_fd_ int place = make_place(view, step->path, false);
    _cleanup_fd_ int tree =
        place < 0 ? -1 : copy_tree(source, SBX_MOUNT_ATTR_NOSUID | SBX_MOUNT_ATTR_NOEXEC);
    if (tree < 0 || sbx_mount_attach(tree, place))
        return fail(err, errno, "bind", step->path);
    return 0;
}

static int do_mask(struct view *view, const struct sbx_step *step, struct sbx_err *err)
{
    bool is_socket = (step->flags & SBX_STEP_SOCKET) != 0;
    enum sbx_guard_kind kind = is_socket    ? SBX_GUARD_SOCKET
                               : step->mode ? SBX_GUARD_OPENED
                                            : SBX_GUARD_MASK;
    _cleanup_fd_ int place = open_present(view, step);
    if (place < 0 && (errno == ENOENT || errno == ENOTDIR || (errno == ELOOP && is_socket))) {
        tell_absent(view, kind, step->path);
        return 0;
    }
    if (place < 0)
        return fail(err, errno, "mask", step->path);
    struct stat st;
    if (fstat(place, &st))
        return fail(err, errno, "look at", step->path);
    if (is_socket && !S_ISSOCK(st.st_mode) && !S_ISFIFO(st.st_mode))
        return 0;
    bool is_directory = S_ISDIR(st.st_mode);
    tell_guard(view, kind, step->path, place);
    _cleanup_fd_ int tree =
        is_directory && step->mode
            ? new_tmpfs(view, 64 * 1024, step->mode)
            : copy_tree(is_directory ? view->input->mask_dir_fd : view->input->mask_file_fd,
                        READ_ONLY | SBX_MOUNT_ATTR_NOEXEC);
    if (tree < 0 || sbx_mount_attach(tree, place))
        return fail(err, errno, "mask", step->path);
    return 0;
}

static int do_freeze(struct view *view, const struct sbx_step *step, struct sbx_err *err)
{
    _cleanup_fd_ int fd = sbx_open_walk(view->root_fd, step->path);
    if (fd < 0 || sbx_mount_set(fd, SBX_MOUNT_ATTR_RDONLY, 0))
        return fail(err, errno, "make read-only", step->path);
    return 0;
}

static int do_step(struct view *view, const struct sbx_step *step, struct sbx_err *err)
{
    static int (*const act[])(struct view *, const struct sbx_step *, struct sbx_err *) = {
        [SBX_STEP_DIR] = do_dir,          [SBX_STEP_LINK] = do_link,
        [SBX_STEP_COPY] = do_copy,        [SBX_STEP_BIND] = do_bind,
        [SBX_STEP_SELF] = do_self,        [SBX_STEP_TMPFS] = do_tmpfs,
        [SBX_STEP_PROC] = do_kernel_fs,   [SBX_STEP_SYSFS] = do_kernel_fs,
        [SBX_STEP_DEVPTS] = do_kernel_fs, [SBX_STEP_NODE] = do_node,
        [SBX_STEP_MASK] = do_mask,        [SBX_STEP_FREEZE] = do_freeze,
    };
    /* A file that the host replaces in this moment has no name for an instant: passwd, by useradd. */
    int status = -1;
    for (unsigned i = 0; i < STEP_TRIES; i++) {
        status = act[step->kind](view, step, err);
        if (!status || err->code != SBX_E_MOUNT || (err->errnum != ENOENT && err->errnum != ESTALE))
            break;
    }
    return status;
}

/* --- the root ------------------------------------------------------------------------------------ */
/* The first step of a whole view is the host's root itself, read-only; else the root is a tmpfs. */
static int make_root(struct view *view, bool is_whole, struct sbx_err *err)
{
    view->root_fd =
        is_whole ? copy_tree(view->host_fd, READ_ONLY) : new_tmpfs(view, 4 * 1024 * 1024, 0755);
    if (view->root_fd < 0 || sbx_mount_attach(view->root_fd, view->input->stage_fd))
        return fail(err, errno, "make", "the new root");
    return 0;
}

/* pivot_root(2): new and old root at one place, then the old one, which lies on top, goes. */
static int pivot(const struct view *view, struct sbx_err *err)
{
    if (fchdir(view->root_fd) || sbx_sys_pivot_root(".", ".") || umount2(".", MNT_DETACH) ||
        fchdir(view->root_fd))
        return fail(err, errno, "move to", "the new root");
    struct stat new_root, now;
    if (fstat(view->root_fd, &new_root) || stat("/", &now) || new_root.st_dev != now.st_dev ||
        new_root.st_ino != now.st_ino)
        return sbx_fail(err, SBX_E_MOUNT, 0, "the new root is not the root after moving to it");
    return sbx_root_verify(err); /* and whoever joins comes here, too */
}

static int walk_plan(struct view *view, const struct sbx_plan *plan, size_t first, size_t end,
                     struct sbx_err *err)
{
    for (size_t i = first; i < end; i++)
        if (strcmp(plan->steps[i].path, "/") != 0 || plan->steps[i].kind != SBX_STEP_BIND)
            if (do_step(view, &plan->steps[i], err))
                return -1;
    return 0;
}

/* Behind the last step for which the opener is asked: from there on it can search. */
static size_t end_of_opening(const struct sbx_plan *plan)
{
    size_t end = plan->count;
    while (end && !(plan->steps[end - 1].flags & SBX_STEP_ACCOUNT))
        end--;
    return end;
}

/* The globs of the policy, on what they match now. */
static int protect_matches(struct view *view, const struct sbx_matches_search *search,
                           struct sbx_err *err)
{
    struct sbx_plan plan;
    int status = sbx_plan_begin(&plan, err);
    if (!status)
        status = sbx_matches_plan(&plan, search, &view->opener, err);
    if (!status)
        status = walk_plan(view, &plan, 0, plan.count, err);
    sbx_plan_free(&plan);
    return status;
}

static int carry_out(struct view *view, const struct sbx_plan *plan, struct sbx_err *err)
{
    struct sbx_matches_search search = {.input = view->input, .host_root_fd = view->host_fd};
    const struct sbx_opener_spec spec = {.who = &view->input->account,
                                         .host_root_fd = view->host_fd,
                                         .new_root_fd = view->root_fd,
                                         .work = sbx_matches_search,
                                         .data = &search};
    size_t opened = end_of_opening(plan);
    int status = sbx_opener_start(&view->opener, &spec, err);
    if (!status)
        status = walk_plan(view, plan, 0, opened, err);
    if (!status)
        status = sbx_matches_ask(&view->opener, err); /* it looks while we go on */
    if (!status)
        status = walk_plan(view, plan, opened, plan->count, err);
    if (!status)
        status = protect_matches(view, &search, err);
    sbx_opener_dismiss(&view->opener); /* it ends while we go on */
    if (!status)
        status = pivot(view, err);
    sbx_opener_stop(&view->opener);
    return status;
}

int sbx_view_enter(const struct sbx_view_input *input, struct sbx_err *err)
{
    struct view view = {.input = input, .opener = {.socket = -1}, .host_fd = -1, .root_fd = -1};
    /* Nothing that is mounted from here on reaches the host, and nothing of the host's comes in. */
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
        return fail(err, errno, "make private", "/");
    view.host_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (view.host_fd < 0)
        return fail(err, errno, "open", "/");
    const struct sbx_step *first = &input->plan->steps[0];
    bool is_whole = first->kind == SBX_STEP_BIND && !strcmp(first->path, "/");
    int status = make_root(&view, is_whole, err);
    if (!status)
        status = carry_out(&view, input->plan, err);
    (void)close(view.host_fd);
    if (view.root_fd >= 0)
        (void)close(view.root_fd);
    return status;
}
