/* The policy files of users and projects: which there are, and which are trusted. */
#include "warden/lower.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/open.h"
#include "policy/cleanup.h"
#include "policy/config_file.h"
#include "warden/lower_internal.h"

#define PLACES_MAX (1 + 2 * SBX_LOWER_WORKSPACES)
#define DEPTH_MAX  128 /* of directories: more than a path can have is a loop */

static const struct {
    enum sbx_scope scope;
    const char *name, *base; /* base: below the top, "" for the top itself */
} kinds[] = {
    {SBX_SCOPE_USER,    ".config/sbx/policy.ini", "/.config/sbx"},
    {SBX_SCOPE_PROJECT, ".sbx/policy.ini",        ""            },
    {SBX_SCOPE_LOCAL,   ".sbx/policy.local.ini",  ""            },
};

/* --- places ----------------------------------------------------------------------------------- */
static int add_place(struct sbx_lower_place *places, size_t *count, size_t kind, const char *top)
{
    struct sbx_lower_place *place = &places[*count];
    place->scope = kinds[kind].scope;
    place->name = kinds[kind].name;
    const char *slash = top[1] ? "/" : "";
    if (snprintf(place->top, sizeof(place->top), "%s", top) >= PATH_MAX ||
        snprintf(place->path, sizeof(place->path), "%s%s%s", top, slash, place->name) >= PATH_MAX ||
        snprintf(place->base, sizeof(place->base), "%s%s", top, kinds[kind].base) >= PATH_MAX)
        return -1;
    ++*count;
    return 0;
}

static int find_places(const struct sbx_policy *managed, const char *home,
                       struct sbx_lower_place *places, size_t *count, struct sbx_err *err)
{
    uint32_t workspaces = 0;
    const struct sbx_item *items =
        sbx_policy_list(managed, SBX_KEY_FILESYSTEM_WORKSPACE, &workspaces);
    *count = 0;
    if (workspaces > SBX_LOWER_WORKSPACES)
        return sbx_fail(err, SBX_E_LIMIT, 0,
                        "filesystem.workspace: more than %d workspaces; name directories in "
                        "allow_write",
                        SBX_LOWER_WORKSPACES);
    int status = add_place(places, count, 0, home);
    for (size_t kind = 1; kind < sizeof(kinds) / sizeof(*kinds); kind++)
        for (uint32_t i = 0; i < workspaces && !status; i++)
            status = add_place(places, count, kind, sbx_policy_text(managed, items[i].text));
    return status
               ? sbx_fail(err, SBX_E_LIMIT, 0, "the path of the home or of a workspace is too long")
               : 0;
}

uint64_t sbx_lower_stamp(const struct sbx_policy *managed, const char *home, uint64_t stamp)
{
    struct sbx_err ignored;
    size_t count = 0;
    _cleanup_free_ struct sbx_lower_place *places = calloc(PLACES_MAX, sizeof(*places));
    _cleanup_fd_ int root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (!places || root_fd < 0 || find_places(managed, home, places, &count, &ignored))
        return stamp;
    for (size_t i = 0; i < count; i++) {
        _cleanup_fd_ int fd = sbx_open_walk(root_fd, places[i].path);
        stamp = sbx_config_stamp_mix(stamp, places[i].path, fd);
    }
    return stamp;
}

/* --- trust ------------------------------------------------------------------------------------ */
/* Owned by another, and writable by no group and not by all: what an access list gives away shows in the
 * group's bits. */
static bool is_beyond(int fd, uid_t account, struct stat *st)
{
    return !fstat(fd, st) && st->st_uid != account && !(st->st_mode & 022);
}

/* The file and every directory above it, by descriptor from the one it lies in up to the root. */
static bool is_out_of_reach(const struct sbx_lower_found *found, uid_t account)
{
    struct stat st, above;
    if (!is_beyond(found->file_fd, account, &st) || !is_beyond(found->dir_fd, account, &st))
        return false;
    _cleanup_fd_ int dir = fcntl(found->dir_fd, F_DUPFD_CLOEXEC, 3);
    for (unsigned i = 0; dir >= 0 && i < DEPTH_MAX; i++) {
        int up = openat(dir, "..", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        (void)close(dir);
        dir = up;
        if (dir < 0 || !is_beyond(dir, account, &above))
            return false;
        if (above.st_dev == st.st_dev && above.st_ino == st.st_ino)
            return true;
        st = above;
    }
    return false;
}

/* --- reading ---------------------------------------------------------------------------------- */
struct reading {
    struct sbx_config *config;
    const struct sbx_lower_spec *spec;
    const struct sbx_reporter *reporter;
    bool has_helpers; /* somebody else opens and parses */
};

static int refuse(const struct sbx_lower_place *place, int errnum, struct sbx_err *err)
{
    switch (errnum) {
    case EXDEV:
        return sbx_fail(err, SBX_E_POLICY, 0,
                        "%s: a symbolic link below %s leads there, and none is followed: put "
                        "the file itself there",
                        place->path, place->top);
    case ELOOP:
        return sbx_fail(err, SBX_E_POLICY, 0,
                        "%s: %s leads through a symbolic link that is not root's", place->path,
                        place->top);
    case EINVAL:
        return sbx_fail(err, SBX_E_POLICY, 0, "%s: is no regular file", place->path);
    case EFBIG:
        return sbx_fail(err, SBX_E_POLICY, 0, "%s: is larger than %zu bytes", place->path,
                        SBX_CONFIG_FILE_BYTES);
    default:
        return sbx_fail(err, SBX_E_POLICY, errnum, "%s: cannot be read as the account",
                        place->path);
    }
}

static int take_file(const struct reading *reading, const struct sbx_lower_place *place,
                     const struct sbx_lower_found *found, struct sbx_err *err)
{
    _cleanup_free_ char *bytes = NULL;
    size_t len = 0;
    if (lseek(found->text_fd, 0, SEEK_SET) < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "%s: cannot be read", place->path);
    if (sbx_config_slurp(found->text_fd, place->path, &bytes, &len, err))
        return -1;
    const struct sbx_lower_file file = {
        .scope = place->scope,
        .label = place->path,
        .base = place->base,
        .may_extend = is_out_of_reach(found, reading->spec->uid) ||
                      sbx_trust_has(reading->spec->trusted_fd, place->path, bytes, len),
    };
    const struct sbx_lower_text text = {.bytes = bytes, .len = len};
    return reading->has_helpers
               ? sbx_lower_parse(reading->config, &file, &text, reading->spec, reading->reporter,
                                 err)
               : sbx_config_read_lower(reading->config, &file, bytes, len, reading->reporter, err);
}

static int take_all(const struct reading *reading, const struct sbx_lower_place *places,
                    const struct sbx_lower_found *found, size_t count, unsigned *added,
                    struct sbx_err *err)
{
    for (size_t i = 0; i < count; i++) {
        if (found[i].errnum == ENOENT)
            continue;
        if (found[i].errnum)
            return refuse(&places[i], found[i].errnum, err);
        if (take_file(reading, &places[i], &found[i], err))
            return -1;
        ++*added;
    }
    return 0;
}

struct work {
    struct sbx_lower_place places[PLACES_MAX];
    struct sbx_lower_found found[PLACES_MAX];
    size_t count;
};

static int read_all(const struct reading *reading, struct work *work, unsigned *added,
                    struct sbx_err *err)
{
    int status = 0;
    if (reading->has_helpers)
        status = sbx_lower_open_as(work->places, work->count, reading->spec, work->found, err);
    else
        for (size_t i = 0; i < work->count; i++)
            sbx_lower_open(&work->places[i], &work->found[i]);
    if (!status)
        status = take_all(reading, work->places, work->found, work->count, added, err);
    for (size_t i = 0; i < work->count; i++)
        sbx_lower_close(&work->found[i]);
    return status;
}

/* *added: files that were read. */
static int read_files(struct sbx_config *config, const struct sbx_policy *managed,
                      const struct sbx_lower_spec *spec, const struct sbx_reporter *reporter,
                      unsigned *added, struct sbx_err *err)
{
    const struct reading reading = {
        .config = config, .spec = spec, .reporter = reporter, .has_helpers = !spec->is_callers};
    *added = 0;
    _cleanup_free_ struct work *work = calloc(1, sizeof(*work));
    if (!work)
        return sbx_fail(err, SBX_E_MEMORY, 0, "out of memory");
    if (find_places(managed, spec->home, work->places, &work->count, err))
        return -1;
    return read_all(&reading, work, added, err);
}

int sbx_lower_add(struct sbx_config *config, const struct sbx_subject *subject,
                  const struct sbx_lower_spec *spec, const struct sbx_reporter *reporter,
                  struct sbx_policy **policy, struct sbx_err *err)
{
    struct sbx_policy *all = NULL;
    unsigned added = 0;
    if (read_files(config, *policy, spec, reporter, &added, err) ||
        (added && sbx_policy_compile(config, subject, &all, err)))
        return -1;
    if (added) {
        free(*policy);
        *policy = all;
    }
    return 0;
}
