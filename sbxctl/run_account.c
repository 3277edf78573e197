/* The account that a program runs as, and its environment. */
#include <errno.h>
#include <fnmatch.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "sbxctl/run.h"

#define ENVIRONMENT_MAX 512
#define DEFAULT_PATH    "/usr/local/bin:/usr/bin:/bin"

static int copy(char *out, size_t size, const char *text, const char *what, struct sbx_err *err)
{
    if (strlen(text) >= size)
        return sbx_fail(err, SBX_E_LIMIT, 0, "the %s of the account is too long", what);
    memcpy(out, text, strlen(text) + 1);
    return 0;
}

int sbx_run_lookup(const char *name, struct sbx_run_account *out, struct sbx_err *err)
{
    struct passwd entry, *found = NULL;
    _cleanup_free_ char *buffer = malloc(65536);
    if (!buffer)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory");
    int errnum = getpwnam_r(name, &entry, buffer, 65536, &found);
    if (errnum)
        return sbx_fail(err, SBX_E_SYSTEM, errnum, "cannot look up account %s", name);
    if (!found)
        return sbx_fail(err, SBX_E_GONE, 0, "no account %s", name);
    if (entry.pw_uid == 0)
        return sbx_fail(err, SBX_E_DENIED, 0, "account %s is root (uid 0), which is never confined",
                        name);
    if (entry.pw_dir[0] != '/')
        return sbx_fail(err, SBX_E_USAGE, 0, "account %s has no home", name);
    out->uid = entry.pw_uid;
    out->gid = entry.pw_gid;
    out->group_count = SBX_RUN_GROUPS_MAX;
    if (getgrouplist(entry.pw_name, entry.pw_gid, out->groups, &out->group_count) < 0)
        return sbx_fail(err, SBX_E_LIMIT, 0, "account %s is in more than %d groups", name,
                        SBX_RUN_GROUPS_MAX);
    if (copy(out->name, sizeof(out->name), entry.pw_name, "name", err) ||
        copy(out->home, sizeof(out->home), entry.pw_dir, "home", err))
        return -1;
    return copy(out->shell, sizeof(out->shell), entry.pw_shell[0] ? entry.pw_shell : "/bin/sh",
                "shell", err);
}

struct environment {
    char **entries; /* room for ENVIRONMENT_MAX and the NULL */
    size_t count;
    bool failed;
};

/* Sets NAME=value; a later one replaces an earlier one of the same name. */
static void set_entry(struct environment *env, const char *name, size_t name_len, const char *value)
{
    char *entry;
    if (asprintf(&entry, "%.*s=%s", (int)name_len, name, value) < 0) {
        env->failed = true;
        return;
    }
    for (size_t i = 0; i < env->count; i++)
        if (!strncmp(env->entries[i], entry, name_len + 1)) {
            free(env->entries[i]);
            env->entries[i] = entry;
            return;
        }
    if (env->count == ENVIRONMENT_MAX) {
        free(entry);
        env->failed = true;
        return;
    }
    env->entries[env->count++] = entry;
}

static void set(struct environment *env, const char *name, const char *value)
{
    set_entry(env, name, strlen(name), value);
}

static bool is_listed(const struct sbx_policy *policy, enum sbx_key key, const char *name)
{
    uint32_t count;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!fnmatch(sbx_policy_text(policy, items[i].text), name, 0))
            return true;
    return false;
}

/* Variables of the caller's that policy keeps, unless it denies them too; LD_* and the like never. */
static void keep(struct environment *env, const struct sbx_policy *policy, char *const *from)
{
    static const char *const never[] = {"LD_*", "BASH_*", "ENV", "SHELLOPTS", "IFS", "GCONV_PATH"};
    for (; *from; from++) {
        char name[128];
        const char *equals = strchr(*from, '=');
        size_t len = equals ? (size_t)(equals - *from) : 0;
        if (!len || len >= sizeof(name))
            continue;
        memcpy(name, *from, len);
        name[len] = '\0';
        bool is_bad = is_listed(policy, SBX_KEY_ENVIRONMENT_DENY, name) ||
                      is_listed(policy, SBX_KEY_CREDENTIALS_DENY_ENV, name);
        for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
            is_bad = is_bad || !fnmatch(never[i], name, 0);
        if (!is_bad && is_listed(policy, SBX_KEY_ENVIRONMENT_KEEP, name))
            set_entry(env, name, len, equals + 1);
    }
}

static void apply_policy(struct environment *env, const struct sbx_policy *policy)
{
    uint32_t count;
    const char *path = sbx_policy_string(policy, SBX_KEY_ENVIRONMENT_PATH);
    if (path && path[0])
        set(env, "PATH", path);
    const struct sbx_item *items = sbx_policy_list(policy, SBX_KEY_ENVIRONMENT_SET, &count);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = sbx_policy_text(policy, items[i].text);
        const char *equals = strchr(text, '=');
        if (equals && equals != text)
            set_entry(env, text, (size_t)(equals - text), equals + 1);
    }
}

static const char *variable(char *const *from, const char *name)
{
    size_t len = strlen(name);
    for (; *from; from++)
        if (!strncmp(*from, name, len) && (*from)[len] == '=')
            return *from + len + 1;
    return NULL;
}

char **sbx_run_environment(const struct sbx_run_account *account, const struct sbx_policy *policy,
                           char *const *from, bool has_terminal)
{
    struct environment env = {.entries = calloc(ENVIRONMENT_MAX + 1, sizeof(char *))};
    if (!env.entries)
        return NULL;
    if (policy)
        keep(&env, policy, from);
    set(&env, "PATH", DEFAULT_PATH);
    const char *term = has_terminal ? variable(from, "TERM") : NULL;
    if (has_terminal)
        set(&env, "TERM", term && strlen(term) < 64 ? term : "dumb");
    if (policy)
        apply_policy(&env, policy);
    set(&env, "HOME", account->home);
    set(&env, "USER", account->name);
    set(&env, "LOGNAME", account->name);
    set(&env, "SHELL", account->shell);
    if (!env.failed)
        return env.entries;
    sbx_run_environment_free(env.entries);
    return NULL;
}

void sbx_run_environment_free(char **environment)
{
    for (char **entry = environment; entry && *entry; entry++)
        free(*entry);
    free(environment);
}
