#include "jail/caps.h"

#include <cap-ng.h>
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_CAP_AMBIENT
#define PR_CAP_AMBIENT        47
#define PR_CAP_AMBIENT_IS_SET 1
#endif

#define CAPABILITIES_MAX 64 /* the kernel's sets have 64 bits */

/* Asks the kernel, not the library: what counts is what is in force. */
static int bounding_is_empty(struct sbx_err *err)
{
    for (unsigned long cap = 0; cap < CAPABILITIES_MAX; cap++) {
        int is_set = prctl(PR_CAPBSET_READ, cap, 0, 0, 0);
        if (is_set < 0)
            return 0; /* past the last one that this kernel has */
        if (is_set || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, cap, 0, 0) != 0)
            return sbx_fail(err, SBX_E_SYSTEM, 0, "capability %lu is still there", cap);
    }
    return 0;
}

/* libcap-ng keeps its state per thread; a module shares the thread with its host program, which may
 * be in the middle of something, hence saved and put back. */
static int drop_bounding(struct sbx_err *err)
{
    if (capng_get_caps_process())
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the capabilities");
    /* An inheritable set would outlive the bounding set when root executes something. */
    for (unsigned cap = 0; cap <= CAP_LAST_CAP; cap++)
        if (capng_update(CAPNG_DROP, CAPNG_INHERITABLE, cap))
            return sbx_fail(err, SBX_E_SYSTEM, 0, "cannot drop inheritable capability %u", cap);
    capng_clear(CAPNG_SELECT_BOUNDS | CAPNG_SELECT_AMBIENT);
    int failed = capng_apply(CAPNG_SELECT_BOUNDS); /* first: needs CAP_SETPCAP */
    if (!failed)
        failed = capng_apply(CAPNG_SELECT_CAPS);
    if (!failed)
        failed = capng_apply(CAPNG_SELECT_AMBIENT);
    if (failed)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot empty the bounding set (%d)", failed);
    return bounding_is_empty(err);
}

int sbx_caps_drop_bounding(struct sbx_err *err)
{
    void *saved = capng_save_state();
    if (!saved)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the state of capabilities");
    int result = drop_bounding(err);
    capng_restore_state(&saved);
    return result;
}

static int change_ids(uid_t uid, gid_t gid, const gid_t *groups, size_t group_count,
                      struct sbx_err *err)
{
    if (setgroups(group_count, groups))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set the supplementary groups");
    if (setresgid(gid, gid, gid))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot become group %u", gid);
    if (setresuid(uid, uid, uid))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot become uid %u", uid);
    return 0;
}

static bool ids_are(uid_t uid, gid_t gid)
{
    uid_t r, e, s;
    gid_t rg, eg, sg;
    return !getresuid(&r, &e, &s) && !getresgid(&rg, &eg, &sg) && r == uid && e == uid &&
           s == uid && rg == gid && eg == gid && sg == gid;
}

static int give_up(uid_t uid, gid_t gid, const gid_t *groups, size_t group_count,
                   struct sbx_err *err)
{
    if (change_ids(uid, gid, groups, group_count, err))
        return -1;
    capng_clear(CAPNG_SELECT_CAPS);
    if (capng_apply(CAPNG_SELECT_CAPS))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot give up all capabilities");
    if (capng_get_caps_process() || capng_have_capabilities(CAPNG_SELECT_CAPS) > CAPNG_NONE)
        return sbx_fail(err, SBX_E_SYSTEM, 0, "some capabilities are still there");
    /* Read back, then try the forbidden thing (a "keep capabilities" bit, a saved id). */
    if (!ids_are(uid, gid) || setuid(0) == 0 || seteuid(0) == 0)
        return sbx_fail(err, SBX_E_SYSTEM, 0, "there is a way back to root from uid %u", uid);
    return 0;
}

static int may_become(uid_t uid, gid_t gid, struct sbx_err *err)
{
    if (uid == 0 || uid == (uid_t)-1 || gid == (gid_t)-1)
        return sbx_fail(err, SBX_E_USAGE, 0, "cannot become uid %u, gid %u", uid, gid);
    return 0;
}

int sbx_caps_become(uid_t uid, gid_t gid, const gid_t *groups, size_t group_count,
                    struct sbx_err *err)
{
    if (may_become(uid, gid, err) || sbx_caps_drop_bounding(err))
        return -1;
    return give_up(uid, gid, groups, group_count, err);
}

int sbx_caps_become_reader(uid_t uid, gid_t gid, const gid_t *groups, size_t group_count,
                           struct sbx_err *err)
{
    if (may_become(uid, gid, err))
        return -1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set no_new_privs");
    return give_up(uid, gid, groups, group_count, err);
}
