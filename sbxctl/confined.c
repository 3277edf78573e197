#include "sbxctl/confined.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"

#define NSS_BYTES ((size_t)256 * 1024)
#define NAMES_MAX 4096

int sbx_confined_read(const struct sbx_paths *paths, struct sbx_confined *out, struct sbx_err *err)
{
    *out = (struct sbx_confined){0};
    const struct sbx_subject nobody = {
        .account = "nobody", .home = "/nonexistent", .uid = (uid_t)65534, .gid = (gid_t)65534};
    if (sbx_config_new(&out->config, err) ||
        sbx_config_read_managed(out->config, paths->root, NULL, NULL, NULL, err) ||
        sbx_policy_compile(out->config, &nobody, &out->policy, err))
        return -1;
    out->is_enabled = sbx_policy_flag(out->policy, SBX_KEY_SANDBOX_ENABLED);
    return 0;
}

void sbx_confined_free(struct sbx_confined *confined)
{
    if (confined->config)
        sbx_config_free(confined->config);
    free(confined->policy);
    *confined = (struct sbx_confined){0};
}

struct walk {
    int (*visit)(void *data, const struct sbx_confined_account *account);
    void *data;
    const struct sbx_origin *origin;
    char *seen[NAMES_MAX];
    size_t seen_count;
};

static bool is_seen(struct walk *walk, const char *name)
{
    for (size_t i = 0; i < walk->seen_count; i++)
        if (!strcmp(walk->seen[i], name))
            return true;
    if (walk->seen_count < NAMES_MAX && (walk->seen[walk->seen_count] = strdup(name)))
        walk->seen_count++;
    return false;
}

static int visit_name(struct walk *walk, const char *name, const char *group)
{
    struct passwd entry, *found = NULL;
    _cleanup_free_ char *buffer = malloc(NSS_BYTES);
    if (is_seen(walk, name) || !buffer)
        return 0;
    struct sbx_confined_account account = {.name = name, .group = group, .origin = walk->origin};
    if (!getpwnam_r(name, &entry, buffer, NSS_BYTES, &found) && found) {
        account.exists = true;
        account.uid = entry.pw_uid;
        account.gid = entry.pw_gid;
        account.home = entry.pw_dir;
        account.shell = entry.pw_shell;
    }
    return walk->visit(walk->data, &account);
}

static int visit_group(struct walk *walk, const char *name)
{
    struct group entry, *found = NULL;
    _cleanup_free_ char *buffer = malloc(NSS_BYTES);
    if (!buffer || getgrnam_r(name, &entry, buffer, NSS_BYTES, &found) || !found)
        return 0;
    for (char **member = entry.gr_mem; *member; member++) {
        int result = visit_name(walk, *member, name);
        if (result)
            return result;
    }
    /* Those who have it as their own group are members too, and in no list. */
    setpwent();
    int result = 0;
    for (struct passwd *row; !result && (row = getpwent());)
        if (row->pw_gid == entry.gr_gid) {
            _cleanup_free_ char *member = strdup(row->pw_name);
            result = member ? visit_name(walk, member, name) : 0;
        }
    endpwent();
    return result;
}

int sbx_confined_each(const struct sbx_confined *confined,
                      int (*visit)(void *data, const struct sbx_confined_account *account),
                      void *data)
{
    static const struct {
        enum sbx_key key;
        bool is_group;
    } lists[] = {
        {SBX_KEY_ACCOUNTS_USER,  false},
        {SBX_KEY_ACCOUNTS_GROUP, true }
    };
    struct walk *walk = calloc(1, sizeof(*walk));
    int result = walk ? 0 : -1;
    if (!walk)
        return result;
    walk->visit = visit;
    walk->data = data;
    for (size_t list = 0; list < 2; list++) {
        uint32_t count;
        const struct sbx_item *items = sbx_policy_list(confined->policy, lists[list].key, &count);
        for (uint32_t i = 0; i < count && !result; i++) {
            const char *name = sbx_policy_text(confined->policy, items[i].text);
            walk->origin = &items[i].origin;
            result = lists[list].is_group ? visit_group(walk, name) : visit_name(walk, name, NULL);
        }
    }
    while (walk->seen_count)
        free(walk->seen[--walk->seen_count]);
    free(walk);
    return result;
}
