#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/cleanup.h"
#include "warden/warden.h"

#define NSS_BYTES   ((size_t)64 * 1024)
#define SYSTEM_UIDS 1000u
#define FILE_BYTES  ((size_t)256 * 1024)

static int copy(char *out, size_t size, const char *text, const char *what, struct sbx_err *err)
{
    size_t len = text ? strlen(text) : 0;
    if (len >= size)
        return sbx_fail(err, SBX_E_LIMIT, 0, "%s of the account is too long", what);
    memcpy(out, text ? text : "", len + 1);
    return 0;
}

static int find_groups(struct sbx_account *account, char *buffer, struct sbx_err *err)
{
    int count = SBX_MAX_GROUPS;
    if (getgrouplist(account->name, account->gid, account->groups, &count) < 0)
        return sbx_fail(err, SBX_E_LIMIT, 0, "%s is in more than %d groups", account->name,
                        SBX_MAX_GROUPS);
    account->group_count = (size_t)count;
    size_t named = 0;
    for (int i = 0; i < count; i++) {
        struct group group, *found = NULL;
        if (getgrgid_r(account->groups[i], &group, buffer, NSS_BYTES, &found) || !found)
            continue; /* a gid without a name has no group.d file either */
        if (copy(account->group_names[named], sizeof(account->group_names[named]), group.gr_name,
                 "a group's name", err))
            return -1;
        account->group_list[named] = account->group_names[named];
        named++;
    }
    account->group_list[named] = NULL;
    return 0;
}

int sbx_account_find(struct sbx_account *account, const char *name, uint32_t uid,
                     struct sbx_err *err)
{
    _cleanup_free_ char *buffer = malloc(NSS_BYTES);
    struct passwd entry, *found = NULL;
    if (!buffer)
        return sbx_fail(err, SBX_E_MEMORY, 0, "out of memory");
    int error = getpwnam_r(name, &entry, buffer, NSS_BYTES, &found);
    if (error || !found)
        return sbx_fail(err, SBX_E_USAGE, error, "there is no account %s", name);
    if (entry.pw_uid == 0)
        return sbx_fail(err, SBX_E_USAGE, 0, "%s has uid 0: root is never confined", name);
    if (entry.pw_uid != uid)
        return sbx_fail(err, SBX_E_USAGE, 0, "%s has uid %u now, not %u", name, entry.pw_uid, uid);
    if (entry.pw_dir[0] != '/' || !entry.pw_dir[1])
        return sbx_fail(err, SBX_E_USAGE, 0, "the home '%s' of %s cannot be confined", entry.pw_dir,
                        name);
    account->uid = entry.pw_uid;
    account->gid = entry.pw_gid;
    if (copy(account->name, sizeof(account->name), entry.pw_name, "the name", err) ||
        copy(account->home, sizeof(account->home), entry.pw_dir, "the home", err) ||
        copy(account->shell, sizeof(account->shell), entry.pw_shell, "the shell", err))
        return -1;
    size_t len = strlen(account->home);
    while (len > 1 && account->home[len - 1] == '/')
        account->home[--len] = '\0';
    return find_groups(account, buffer, err);
}

/* Is the account still the one that the jail was built for? A uid may be given to somebody else, whose
 * processes are nobody's strays. */
bool sbx_account_is_same(const struct sbx_account *account)
{
    _cleanup_free_ char *buffer = malloc(NSS_BYTES);
    struct passwd entry, *found = NULL;
    return buffer && !getpwnam_r(account->name, &entry, buffer, NSS_BYTES, &found) && found &&
           entry.pw_uid == account->uid && entry.pw_gid == account->gid &&
           !strcmp(entry.pw_shell, account->shell);
}

/* --- passwd and group as the jail sees them ----------------------------------------------------- */
struct text {
    char *bytes;
    size_t used;
};

static int append(struct text *text, const char *line, struct sbx_err *err)
{
    size_t len = strlen(line);
    if (len >= FILE_BYTES - text->used)
        return sbx_fail(err, SBX_E_LIMIT, 0, "passwd or group is too large for a jail");
    memcpy(text->bytes + text->used, line, len + 1);
    text->used += len;
    return 0;
}

/* The machine's own system accounts, by name and number alone: no other people, no GECOS, no homes. */
static int append_system(struct text *text, bool is_group, const struct sbx_account *account,
                         struct sbx_err *err)
{
    _cleanup_file_ FILE *file = fopen(is_group ? "/etc/group" : "/etc/passwd", "re");
    char buffer[8192], line[512];
    if (!file)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the account files");
    for (;;) {
        struct passwd user, *user_found = NULL;
        struct group group, *group_found = NULL;
        if (is_group) {
            int error = fgetgrent_r(file, &group, buffer, sizeof(buffer), &group_found);
            if (error == ERANGE)
                continue; /* a group with very many members: listed for no jail */
            if (error || !group_found)
                return 0;
            if (group.gr_gid >= SYSTEM_UIDS && group.gr_gid != 65534)
                continue;
            (void)snprintf(line, sizeof(line), "%s:x:%u:\n", group.gr_name, group.gr_gid);
        } else {
            if (fgetpwent_r(file, &user, buffer, sizeof(buffer), &user_found) || !user_found)
                return 0;
            if ((user.pw_uid >= SYSTEM_UIDS && user.pw_uid != 65534) || user.pw_uid == account->uid)
                continue;
            (void)snprintf(line, sizeof(line), "%s:x:%u:%u::/nonexistent:/usr/sbin/nologin\n",
                           user.pw_name, user.pw_uid, user.pw_gid);
        }
        if (append(text, line, err))
            return -1;
    }
}

static int append_own_groups(struct text *text, const struct sbx_account *account,
                             struct sbx_err *err)
{
    char line[512], buffer[8192];
    for (size_t i = 0; i < account->group_count; i++) {
        struct group group, *found = NULL;
        gid_t gid = account->groups[i];
        bool is_listed = gid < SYSTEM_UIDS;
        if (is_listed || getgrgid_r(gid, &group, buffer, sizeof(buffer), &found) || !found)
            continue;
        (void)snprintf(line, sizeof(line), "%s:x:%u:%s\n", group.gr_name, gid,
                       gid == account->gid ? "" : account->name);
        if (append(text, line, err))
            return -1;
    }
    return 0;
}

int sbx_account_write_files(const struct sbx_account *account, int dir_fd, struct sbx_err *err)
{
    _cleanup_free_ char *bytes = malloc(FILE_BYTES);
    char line[sizeof(account->home) + sizeof(account->shell) + 256];
    struct text text = {.bytes = bytes};
    if (!bytes)
        return sbx_fail(err, SBX_E_MEMORY, 0, "out of memory");
    (void)snprintf(line, sizeof(line), "%s:x:%u:%u::%s:%s\n", account->name, account->uid,
                   account->gid, account->home, account->shell);
    if (append_system(&text, false, account, err) || append(&text, line, err) ||
        sbx_files_write(dir_fd, "passwd", bytes, text.used, 0444, err))
        return -1;
    text.used = 0;
    if (append_system(&text, true, account, err) || append_own_groups(&text, account, err))
        return -1;
    return sbx_files_write(dir_fd, "group", bytes, text.used, 0444, err);
}
