/* cron and at: may an account give them jobs, and the files that say so. */
#ifndef SBX_SBXCTL_SCHEDULE_H
#define SBX_SBXCTL_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/err.h"

struct sbx_scheduler {
    const char *name, *program; /* cron; what takes its jobs */
    const char *allow, *deny;   /* names below /etc */
};

#define SBX_SCHEDULERS 2
extern const struct sbx_scheduler sbx_schedulers[SBX_SCHEDULERS];

enum sbx_schedule {
    SBX_SCHEDULE_DENIED = 0,
    SBX_SCHEDULE_ALLOWED, /* the file of those who may names it: an administrator's word */
    SBX_SCHEDULE_OPEN,    /* nothing keeps it out; a line in the file of those who may not would */
};

/* What the files below the open directory `etc` say. What cannot be read is open: it is said rather than
 * passed over. */
enum sbx_schedule sbx_schedule_of(int etc, const struct sbx_scheduler *scheduler,
                                  const char *account);

/* Adds the account to those who may not, or takes it out; the file's owner and mode stay. One that held
 * nobody else and is empty then goes with it where `made`: it is set where the file is made. */
int sbx_schedule_deny(int etc, const struct sbx_scheduler *scheduler, const char *account,
                      bool deny, bool *made, struct sbx_err *err) SBX_MUST_CHECK;

#endif
