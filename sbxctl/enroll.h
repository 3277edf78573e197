/* `sbxctl enroll` and `unenroll`: the steps, each with its undoing. */
#ifndef SBX_SBXCTL_ENROLL_H
#define SBX_SBXCTL_ENROLL_H

#include "sbxctl/run.h"
#include "sbxctl/schedule.h"

struct sbx_enrolled {    /* what enroll changed; kept in /var/lib/sbx/enrolled/ACCOUNT */
    char shell[512];     /* the one before; "" where it was not changed */
    char workspace[512]; /* made by enroll; "" where it was there */
    uid_t uid;           /* whose user manager was masked; 0: an older record, which does not say */
    bool masked, listed, lingered;
    bool denied[SBX_SCHEDULERS], made[SBX_SCHEDULERS]; /* in cron.deny, at.deny; the file too */
};

struct sbx_enroll {
    struct sbx_paths paths;
    struct sbx_run_account account;
    char workspace[512], sbxsh[512];
    bool dry_run, is_gone; /* is_gone: the account is not there any more; its name is */
    struct sbx_enrolled done;
};

/* Says what is done, or would be. */
SBX_PRINTF(2, 3) void sbx_enroll_say(const struct sbx_enroll *enroll, const char *fmt, ...);

/* Each does its step, or says what it would do. 0, or -1 with *err; what was done before stays done
 * and is on record. */
int sbx_enroll_workspace(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_enroll_mask(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_enroll_linger(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_enroll_jobs(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_enroll_list(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_enroll_shell(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;

int sbx_unenroll_workspace(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_unenroll_mask(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_unenroll_linger(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_unenroll_jobs(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_unenroll_list(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_unenroll_shell(struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;

/* The record. Reading: 1 where there is none. */
int sbx_enrolled_read(const struct sbx_paths *paths, const char *account, struct sbx_enrolled *out,
                      struct sbx_err *err) SBX_MUST_CHECK;
int sbx_enrolled_write(const struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_enrolled_remove(const struct sbx_enroll *enroll, struct sbx_err *err) SBX_MUST_CHECK;

/* Replaces a small file as a whole: a new one is written, synced and renamed over it. */
int sbx_replace_file(int dirfd, const char *name, const char *text, mode_t mode,
                     struct sbx_err *err) SBX_MUST_CHECK;

/* Reads a whole small file of root's; *text is malloc'ed. 1 where there is none. */
int sbx_read_file(int dirfd, const char *name, char **text, struct sbx_err *err) SBX_MUST_CHECK;

#endif
