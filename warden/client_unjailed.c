/* A login that has no jail, and that managed policy lets be. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "jail/unjailed.h"
#include "policy/cleanup.h"
#include "warden/client_parts.h"

/* Up to the bar; returns what is behind it, NULL where there is none. */
static const char *take(const char *from, char *out, size_t size)
{
    const char *bar = from ? strchr(from, '|') : NULL;
    if (bar)
        (void)snprintf(out, size, "%.*s", (int)(bar - from), from);
    return bar ? bar + 1 : NULL;
}

static int open_folder(const struct sbx_paths *paths, uid_t uid, struct sbx_err *err)
{
    char name[64];
    (void)snprintf(name, sizeof(name), "%s/%u", SBX_UNJAILED_DIR, uid);
    return sbx_paths_open(paths, name, 0, err);
}

int sbx_unjailed_admit(const struct sbx_paths *paths, const struct sbx_launch *launch, uid_t uid,
                       struct sbx_err *err)
{
    struct sbx_unjailed_login *out = launch->unjailed;
    if (!out)
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "sbx-warden made no jail where one was asked for");
    const struct sbx_err answer = *err;
    *out = (struct sbx_unjailed_login){.rule = ""};
    const char *why =
        take(take(answer.message, out->rule, sizeof(out->rule)), out->origin, sizeof(out->origin));
    if (!why)
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "sbx-warden's answer makes no sense");
    (void)snprintf(out->why, sizeof(out->why), "%s", why);
    (void)snprintf(out->told, sizeof(out->told),
                   "this session has NO JAIL: %.200s; %s (%s) lets it be", out->why, out->rule,
                   out->origin);
    _cleanup_fd_ int dir = open_folder(paths, uid, err);
    if (dir < 0 || sbx_unjailed_write(dir, uid, out->told, err))
        return sbx_err_prefix(err, "cannot let the account in without a jail: ");
    *err = answer;
    return -1;
}

void sbx_client_unjailed_end(const struct sbx_paths *paths, uid_t uid)
{
    char jail[SBX_JAIL_ID_BYTES];
    struct sbx_err err = SBX_ERR_INIT;
    (void)snprintf(jail, sizeof(jail), "%u", uid);
    _cleanup_fd_ int jails_fd = sbx_paths_open(paths, SBX_JAILS_DIR, 0, &err);
    if (jails_fd < 0)
        return;
    /* Whoever holds it logs in, and the next end sweeps. */
    _cleanup_lock_ struct sbx_lock lock = SBX_LOCK_INIT(jails_fd);
    _cleanup_fd_ int dir = open_folder(paths, uid, &err);
    if (dir < 0 || sbx_lock_take(&lock, jail, 0, &err) || sbx_unjailed_sweep(dir, uid, true))
        return;
    _cleanup_fd_ int above = sbx_paths_open(paths, SBX_UNJAILED_DIR, 0, &err);
    (void)unlinkat(dir, "policy", 0);
    (void)unlinkat(dir, "brief.md", 0);
    if (above >= 0)
        (void)unlinkat(above, jail, AT_REMOVEDIR);
}
