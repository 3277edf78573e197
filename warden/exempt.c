/* Logins without a jail: where managed policy lets one be, nothing is built, and the account's folder
 * below /run/sbx/unjailed gets what its shell judges by. The login program adds the record of its own
 * login (jail/unjailed.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "jail/kernel.h"
#include "jail/platform.h"
#include "jail/unjailed.h"
#include "policy/brief.h"
#include "policy/cleanup.h"
#include "warden/warden.h"

#define BRIEF_BYTES ((size_t)64 * 1024)

bool sbx_exempt_now(const struct sbx_warden *warden, const struct sbx_policy *policy,
                    const char *lacks, struct sbx_exempt *out)
{
    char detail[128];
    if (warden->params.policy || warden->params.is_run) /* root asked for a jail by name */
        return false;
    const struct sbx_machine machine = {
        .platform = sbx_platform_find(warden->paths.root, detail, sizeof(detail)), .lacks = lacks};
    return sbx_exempt_find(policy, &machine, out);
}

static int write_brief(const struct sbx_warden *warden, int dir, const struct sbx_exempt *exempt,
                       struct sbx_err *err)
{
    _cleanup_free_ char *text = malloc(BRIEF_BYTES);
    FILE *stream = text ? fmemopen(text, BRIEF_BYTES, "w") : NULL;
    if (!stream)
        return sbx_fail(err, SBX_E_MEMORY, errno, "cannot write the brief");
    int status = sbx_brief_write_unjailed(warden->policy, exempt, stream, err);
    long end = ftell(stream);
    if (fclose(stream) || end < 0)
        status = status ? status : sbx_fail(err, SBX_E_LIMIT, 0, "the brief is too long");
    return status ? status : sbx_files_write(dir, "brief.md", text, (size_t)end, 0444, err);
}

int sbx_exempt_publish(const struct sbx_warden *warden, const struct sbx_exempt *exempt,
                       struct sbx_err *err)
{
    char name[64];
    (void)snprintf(name, sizeof(name), "%s/%u", SBX_UNJAILED_DIR, warden->account.uid);
    _cleanup_fd_ int dir = sbx_paths_open(&warden->paths, name, 0750, err);
    if (dir < 0)
        return -1;
    /* Not for other accounts: a policy is the operator's. */
    if (fchownat(dir, "", (uid_t)-1, warden->account.gid, AT_EMPTY_PATH))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set the group of %s", name);
    (void)sbx_unjailed_sweep(dir, warden->account.uid, false);
    if (sbx_files_write(dir, "policy", warden->policy, (size_t)warden->policy->size_bytes, 0444,
                        err))
        return -1;
    return write_brief(warden, dir, exempt, err);
}

void sbx_exempt_forget(const struct sbx_warden *warden)
{
    char name[32];
    struct sbx_err err = SBX_ERR_INIT;
    if (warden->params.is_run || warden->params.policy) /* beside whatever sessions there are */
        return;
    _cleanup_fd_ int dir = sbx_paths_open(&warden->paths, SBX_UNJAILED_DIR, 0, &err);
    (void)snprintf(name, sizeof(name), "%u", warden->account.uid);
    if (dir >= 0)
        sbx_files_remove(dir, name);
}
