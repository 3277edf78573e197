/* Which files make a policy, and in which order. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/config_file.h"
#include "policy/config_internal.h"

#define LABEL_BYTES (PATH_MAX + 300)

struct walk {
    struct sbx_opening how;
    enum sbx_scope scope;      /* of what is read */
    struct sbx_config *config; /* NULL: only the stamp is wanted */
    uint64_t stamp;
    size_t files;
    const char *account;
    const char *const *groups;
    bool takes_all; /* every file of group.d and account.d, for a check */
    struct sbx_telling *telling;
};

static int tell(struct walk *walk, const struct sbx_err *err, const char *label)
{
    const struct sbx_place place = {.file = label};
    sbx_tell(walk->telling, SBX_SEVERITY_ERROR, err->code, &place, err->message);
    return -1;
}

static int read_file(struct walk *walk, int fd, const char *label)
{
    struct sbx_err err = SBX_ERR_INIT;
    _cleanup_free_ char *bytes = NULL;
    size_t len = 0;
    if (++walk->config->files > SBX_CONFIG_FILES)
        sbx_fail(&err, SBX_E_LIMIT, 0, "%s: more than %d policy files", label, SBX_CONFIG_FILES);
    else if (!sbx_config_slurp(fd, label, &bytes, &len, &err)) {
        if (sbx_config_keep_file(walk->config, walk->scope, label, bytes, len)) {
            sbx_fail(&err, SBX_E_MEMORY, 0, "%s: out of memory", label);
            return tell(walk, &err, label);
        }
        return sbx_config_parse(walk->config, walk->scope, label, bytes, len, walk->telling);
    }
    return tell(walk, &err, label);
}

/* Absent is fine: the stamp keeps that in mind. Errors are told and the walk goes on. */
static int visit_file(struct walk *walk, int dir, const char *name, const char *folder)
{
    struct sbx_err err = SBX_ERR_INIT;
    char label[LABEL_BYTES];
    _cleanup_fd_ int fd = -1;
    (void)snprintf(label, sizeof(label), "%s/%s", folder, name);
    enum sbx_open_result result = sbx_config_open(&walk->how, dir, name, label, &fd, &err);
    walk->stamp = sbx_config_stamp_mix(walk->stamp, name, fd);
    if (result == SBX_OPEN_FAILED)
        return walk->config ? tell(walk, &err, label) : -1;
    if (result == SBX_OPEN_ABSENT)
        return 0;
    walk->files++;
    return walk->config ? read_file(walk, fd, label) : 0;
}

static int visit_all(struct walk *walk, int dir, const char *folder)
{
    struct sbx_err err = SBX_ERR_INIT;
    _cleanup_free_ char **names = NULL;
    int status = 0;
    if (sbx_config_list(dir, folder, SBX_LIST_POLICY, &names, &err))
        return walk->config ? tell(walk, &err, folder) : -1;
    for (size_t i = 0; names[i]; i++)
        status |= visit_file(walk, dir, names[i], folder);
    return status;
}

/* A file with another ending does nothing, and looks as if it did: site.conf, x.ini.rpmsave. Only
 * said where somebody listens: a login has no use for it. */
static void tell_unread(struct walk *walk, int dir, const char *folder)
{
    struct sbx_err err = SBX_ERR_INIT;
    _cleanup_free_ char **names = NULL;
    char label[LABEL_BYTES + NAME_MAX + 2], message[sizeof(label) + 128];
    struct sbx_place place = {.file = folder};
    if (!walk->config || !walk->telling->reporter)
        return;
    if (sbx_config_list(dir, folder, SBX_LIST_UNREAD, &names, &err)) {
        sbx_tell(walk->telling, SBX_SEVERITY_WARNING, err.code, &place, err.message);
        return;
    }
    place.file = label;
    for (size_t i = 0; names[i]; i++) {
        (void)snprintf(label, sizeof(label), "%s/%.255s", folder, names[i]);
        (void)snprintf(
            message, sizeof(message),
            "%s: is not read, since its name does not end in .ini: rename it to NAME.ini, "
            "or take it away",
            label);
        sbx_tell(walk->telling, SBX_SEVERITY_WARNING, SBX_E_POLICY, &place, message);
    }
}

/* NAME.ini for a name that comes from passwd or group: it must not lead elsewhere. */
static int visit_named(struct walk *walk, int dir, const char *name, const char *folder)
{
    char file[256];
    struct sbx_err err = SBX_ERR_INIT;
    int len = snprintf(file, sizeof(file), "%s.ini", name);
    if (!name[0] || name[0] == '.' || strchr(name, '/') || len < 0 || (size_t)len >= sizeof(file)) {
        sbx_fail(&err, SBX_E_POLICY, 0, "%s: the name '%.64s' can have no policy file", folder,
                 name);
        return walk->config ? tell(walk, &err, folder) : -1;
    }
    return visit_file(walk, dir, file, folder);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Groups in C-locale order, whatever order NSS has them in: precedence must not depend on it. */
static int visit_groups(struct walk *walk, int dir, const char *folder)
{
    size_t count = 0;
    int status = 0;
    while (walk->groups && walk->groups[count])
        count++;
    _cleanup_free_ const char **sorted = reallocarray(NULL, count + 1, sizeof(*sorted));
    if (!sorted)
        return -1;
    for (size_t i = 0; i < count; i++)
        sorted[i] = walk->groups[i];
    qsort(sorted, count, sizeof(*sorted), compare_names);
    for (size_t i = 0; i < count; i++)
        if (!i || strcmp(sorted[i - 1], sorted[i]))
            status |= visit_named(walk, dir, sorted[i], folder);
    return status;
}

enum folder { FOLDER_POLICY, FOLDER_GROUP, FOLDER_ACCOUNT };

static int visit_folder(struct walk *walk, int base, const char *base_label, enum folder folder)
{
    static const char *const names[] = {"policy.d", "group.d", "account.d"};
    struct sbx_err err = SBX_ERR_INIT;
    char label[LABEL_BYTES];
    _cleanup_fd_ int dir = -1;
    (void)snprintf(label, sizeof(label), "%s/%s", base_label, names[folder]);
    struct sbx_opening how = walk->how;
    how.is_dir = true;
    enum sbx_open_result result = sbx_config_open(&how, base, names[folder], label, &dir, &err);
    walk->stamp = sbx_config_stamp_mix(walk->stamp, names[folder], dir);
    if (result == SBX_OPEN_FAILED)
        return walk->config ? tell(walk, &err, label) : -1;
    if (result == SBX_OPEN_ABSENT)
        return 0;
    tell_unread(walk, dir, label);
    if (walk->config)
        walk->config->is_narrow = folder != FOLDER_POLICY;
    int status = folder == FOLDER_POLICY || walk->takes_all ? visit_all(walk, dir, label)
                 : folder == FOLDER_GROUP                   ? visit_groups(walk, dir, label)
                                          : visit_named(walk, dir, walk->account, label);
    if (walk->config)
        walk->config->is_narrow = false;
    return status;
}

/* A directory laid out like /etc/sbx. */
static int visit_base(struct walk *walk, int base, const char *label)
{
    walk->stamp = sbx_config_stamp_mix(walk->stamp, "sbx", base);
    int status = visit_file(walk, base, "policy.ini", label);
    status |= visit_folder(walk, base, label, FOLDER_POLICY);
    if (walk->account || walk->takes_all) {
        status |= visit_folder(walk, base, label, FOLDER_GROUP);
        status |= visit_folder(walk, base, label, FOLDER_ACCOUNT);
    }
    return status;
}

/* Goes from the state root down to a folder, one checked component after the other. */
static enum sbx_open_result open_folder(const struct walk *walk, const char *root, const char *path,
                                        char *label, int *out, struct sbx_err *err)
{
    const char *top = root && *root ? root : "/";
    /* The root itself is the caller's word: links that lead there are followed, its owner is
     * checked. */
    struct sbx_opening how = walk->how;
    how.is_dir = how.follows = true;
    _cleanup_fd_ int fd = -1;
    enum sbx_open_result result = sbx_config_open(&how, AT_FDCWD, top, top, &fd, err);
    how.follows = false;
    for (const char *end = path; *end && result == SBX_OPEN_DONE;) {
        char name[64];
        const char *begin = end + 1;
        end = strchrnul(begin, '/');
        (void)snprintf(name, sizeof(name), "%.*s", (int)(end - begin), begin);
        (void)snprintf(label, LABEL_BYTES, "%s%.*s", root ? root : "", (int)(end - path), path);
        int next = -1;
        result = sbx_config_open(&how, fd, name, label, &next, err);
        (void)close(fd);
        fd = next;
    }
    if (result == SBX_OPEN_DONE)
        *out = sbx_steal_fd(&fd);
    return result;
}

/* What lies in a folder below the state root, if it is there. */
static int visit_below(struct walk *walk, const char *root, const char *path,
                       int (*visit)(struct walk *walk, int dir, const char *label))
{
    struct sbx_err err = SBX_ERR_INIT;
    char label[LABEL_BYTES] = "";
    _cleanup_fd_ int dir = -1;
    enum sbx_open_result result = open_folder(walk, root, path, label, &dir, &err);
    if (result == SBX_OPEN_FAILED)
        return walk->config ? tell(walk, &err, label[0] ? label : root) : -1;
    if (result == SBX_OPEN_ABSENT) {
        walk->stamp = sbx_config_stamp_mix(walk->stamp, path, -1);
        return 0;
    }
    return visit(walk, dir, label);
}

static int visit_grants(struct walk *walk, int dir, const char *label)
{
    walk->stamp = sbx_config_stamp_mix(walk->stamp, "grants", dir);
    return walk->takes_all ? visit_all(walk, dir, label)
                           : visit_named(walk, dir, walk->account, label);
}

static int visit_managed(struct walk *walk, const char *root)
{
    walk->scope = SBX_SCOPE_MANAGED;
    int status = visit_below(walk, root, "/etc/sbx", visit_base);
    if (!walk->account && !walk->takes_all)
        return status;
    walk->scope = SBX_SCOPE_GRANT;
    return status | visit_below(walk, root, "/var/lib/sbx/grants", visit_grants);
}

int sbx_config_read_managed(struct sbx_config *config, const char *root, const char *account,
                            const char *const *groups, const struct sbx_reporter *reporter,
                            struct sbx_err *err)
{
    struct sbx_telling telling = {.reporter = reporter, .err = err};
    struct walk walk = {.how = {.is_trusted = true},
                        .config = config,
                        .stamp = config->stamp,
                        .account = account,
                        .groups = groups,
                        .telling = &telling};
    int status = visit_managed(&walk, root);
    config->stamp = walk.stamp;
    if (status && !telling.errors)
        return sbx_fail(err, SBX_E_MEMORY, 0, "cannot read the policy: out of memory");
    return status;
}

uint64_t sbx_config_stamp_now(const char *root, const char *account, const char *const *groups)
{
    struct walk walk = {
        .how = {.is_trusted = true, .is_glance = true},
        .stamp = 0xcbf29ce484222325u,
        .account = account,
        .groups = groups
    };
    (void)visit_managed(&walk, root); /* what cannot be opened is in the stamp as absent */
    return walk.stamp;
}

static int visit_path(struct walk *walk, const char *path)
{
    struct sbx_err err = SBX_ERR_INIT;
    _cleanup_fd_ int fd = -1;
    struct sbx_opening how = walk->how;
    how.is_dir = true;
    if (sbx_config_open(&how, AT_FDCWD, path, path, &fd, &err) == SBX_OPEN_DONE)
        return visit_base(walk, fd, path);
    enum sbx_open_result result = sbx_config_open(&walk->how, AT_FDCWD, path, path, &fd, &err);
    walk->stamp = sbx_config_stamp_mix(walk->stamp, path, fd);
    if (result == SBX_OPEN_ABSENT)
        sbx_fail(&err, SBX_E_POLICY, 0, "%s: no such file or directory",
                 *path ? path : "an empty name for a policy");
    if (result != SBX_OPEN_DONE)
        return tell(walk, &err, path);
    walk->files++;
    return read_file(walk, fd, path);
}

static int read_path(struct sbx_config *config, struct walk *walk, const char *path,
                     struct sbx_err *err)
{
    config->is_path = true;
    int status = visit_path(walk, path);
    config->stamp = walk->stamp;
    struct sbx_err none = SBX_ERR_INIT;
    if (!status && !walk->files) {
        sbx_fail(&none, SBX_E_POLICY, 0, "%s: holds no policy.ini and no policy.d/*.ini", path);
        status = tell(walk, &none, path);
    }
    if (status && !walk->telling->errors)
        return sbx_fail(err, SBX_E_MEMORY, 0, "cannot read the policy: out of memory");
    return status;
}

int sbx_config_read_path(struct sbx_config *config, const char *path, const char *account,
                         const char *const *groups, const struct sbx_reporter *reporter,
                         struct sbx_err *err)
{
    struct sbx_telling telling = {.reporter = reporter, .err = err};
    struct walk walk = {.scope = SBX_SCOPE_MANAGED,
                        .config = config,
                        .stamp = config->stamp,
                        .account = account,
                        .groups = groups,
                        .telling = &telling};
    return read_path(config, &walk, path, err);
}

void sbx_config_narrow(struct sbx_config *config)
{
    config->is_narrow = true;
}

int sbx_config_check(struct sbx_config *config, const char *root, const char *path,
                     const struct sbx_reporter *reporter, size_t *files, struct sbx_err *err)
{
    struct sbx_telling telling = {.reporter = reporter, .err = err};
    struct walk walk = {.how = {.is_trusted = !path},
                        .scope = SBX_SCOPE_MANAGED,
                        .config = config,
                        .stamp = config->stamp,
                        .takes_all = true,
                        .telling = &telling};
    int status = path ? read_path(config, &walk, path, err) : visit_managed(&walk, root);
    *files = walk.files;
    if (status && !telling.errors)
        return sbx_fail(err, SBX_E_MEMORY, 0, "cannot read the policy: out of memory");
    return status;
}
