/* What would run something for the account with nobody logged in: lingering, cron, at. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "sbxctl/enroll.h"

#define LINGER_DIR "/var/lib/systemd/linger"

/* --- lingering ------------------------------------------------------------------------------------ */
/* Below the state root where one is given, as the mask. */
static bool linger_path(const struct sbx_enroll *enroll, char *path, size_t size)
{
    int len = snprintf(path, size, "%s" LINGER_DIR "/%s", enroll->paths.root, enroll->account.name);
    return len > 0 && (size_t)len < size;
}

int sbx_enroll_linger(struct sbx_enroll *enroll, struct sbx_err *err)
{
    char path[600];
    if (!linger_path(enroll, path, sizeof(path)) || access(path, F_OK))
        return 0;
    sbx_enroll_say(enroll, "end lingering, which starts its user manager at boot");
    if (enroll->dry_run)
        return 0;
    if (unlink(path))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot remove %s", path);
    enroll->done.lingered = true;
    return 0;
}

int sbx_unenroll_linger(struct sbx_enroll *enroll, struct sbx_err *err)
{
    char path[600];
    if (!enroll->done.lingered)
        return 0;
    if (!enroll->is_gone && linger_path(enroll, path, sizeof(path))) {
        sbx_enroll_say(enroll, "let it linger again");
        _cleanup_fd_ int fd =
            enroll->dry_run ? -1 : open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (fd < 0 && !enroll->dry_run)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make %s", path);
    }
    enroll->done.lingered = false;
    return 0;
}

/* --- cron and at ------------------------------------------------------------------------------------ */
static int open_etc(const struct sbx_enroll *enroll)
{
    char path[600];
    (void)snprintf(path, sizeof(path), "%s/etc", enroll->paths.root);
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int sbx_enroll_jobs(struct sbx_enroll *enroll, struct sbx_err *err)
{
    _cleanup_fd_ int etc = open_etc(enroll);
    for (size_t i = 0; i < SBX_SCHEDULERS && etc >= 0; i++) {
        const struct sbx_scheduler *scheduler = &sbx_schedulers[i];
        enum sbx_schedule schedule = sbx_schedule_of(etc, scheduler, enroll->account.name);
        if (schedule == SBX_SCHEDULE_ALLOWED)
            (void)printf("note: /etc/%s names %s: it may give jobs to %s, which run in its jail\n",
                         scheduler->allow, enroll->account.name, scheduler->name);
        if (schedule != SBX_SCHEDULE_OPEN)
            continue;
        sbx_enroll_say(enroll, "add %s to %s/etc/%s", enroll->account.name, enroll->paths.root,
                       scheduler->deny);
        if (enroll->dry_run)
            continue;
        if (sbx_schedule_deny(etc, scheduler, enroll->account.name, true, &enroll->done.made[i],
                              err))
            return -1;
        enroll->done.denied[i] = true;
    }
    return 0;
}

int sbx_unenroll_jobs(struct sbx_enroll *enroll, struct sbx_err *err)
{
    _cleanup_fd_ int etc = open_etc(enroll);
    for (size_t i = 0; i < SBX_SCHEDULERS && etc >= 0; i++) {
        if (!enroll->done.denied[i])
            continue;
        sbx_enroll_say(enroll, "take %s out of %s/etc/%s", enroll->account.name, enroll->paths.root,
                       sbx_schedulers[i].deny);
        if (enroll->dry_run)
            continue;
        if (sbx_schedule_deny(etc, &sbx_schedulers[i], enroll->account.name, false,
                              &enroll->done.made[i], err))
            return -1;
        enroll->done.denied[i] = enroll->done.made[i] = false;
    }
    return 0;
}
