#include "sbxctl/schedule.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "sbxctl/enroll.h"

const struct sbx_scheduler sbx_schedulers[SBX_SCHEDULERS] = {
    {"cron", "/usr/bin/crontab", "cron.allow", "cron.deny"},
    {"at",   "/usr/bin/at",      "at.allow",   "at.deny"  },
};

/* One name a line. */
static bool names(const char *text, const char *account)
{
    size_t len = strlen(account);
    for (const char *line = text; *line;) {
        size_t got = strcspn(line, "\n");
        if (got == len && !memcmp(line, account, len))
            return true;
        line += got + (line[got] == '\n');
    }
    return false;
}

/* Debian's crontab serves everybody where neither file is there; elsewhere, and with at, root alone is
 * served then, and a file with one name in it would let all others in. */
static bool is_open_by_itself(int etc, const struct sbx_scheduler *scheduler)
{
    return !strcmp(scheduler->name, "cron") && !faccessat(etc, "debian_version", F_OK, 0);
}

enum sbx_schedule sbx_schedule_of(int etc, const struct sbx_scheduler *scheduler,
                                  const char *account)
{
    _cleanup_free_ char *allow = NULL, *deny = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    int status = sbx_read_file(etc, scheduler->allow, &allow, &err);
    if (status < 0)
        return SBX_SCHEDULE_OPEN;
    if (!status)
        return names(allow, account) ? SBX_SCHEDULE_ALLOWED : SBX_SCHEDULE_DENIED;
    status = sbx_read_file(etc, scheduler->deny, &deny, &err);
    if (!status)
        return names(deny, account) ? SBX_SCHEDULE_DENIED : SBX_SCHEDULE_OPEN;
    return status < 0 || is_open_by_itself(etc, scheduler) ? SBX_SCHEDULE_OPEN
                                                           : SBX_SCHEDULE_DENIED;
}

/* The text with or without the account's line; malloc'ed, NULL out of memory. */
static char *edit(const char *text, const char *account, bool deny)
{
    size_t len = strlen(account);
    char *out = malloc(strlen(text) + len + 3), *end = out;
    for (const char *line = text; out && *line;) {
        size_t got = strcspn(line, "\n"), whole = got + (line[got] == '\n');
        if (got != len || memcmp(line, account, len) != 0)
            end = mempcpy(end, line, whole);
        line += whole;
    }
    if (out && deny) {
        if (end != out && end[-1] != '\n')
            *end++ = '\n';
        end = mempcpy(end, account, len);
        *end++ = '\n';
    }
    if (out)
        *end = '\0';
    return out;
}

int sbx_schedule_deny(int etc, const struct sbx_scheduler *scheduler, const char *account,
                      bool deny, bool *made, struct sbx_err *err)
{
    _cleanup_free_ char *text = NULL, *changed = NULL;
    struct stat st = {.st_mode = 0644};
    int status = sbx_read_file(etc, scheduler->deny, &text, err);
    if (status < 0)
        return -1;
    if (!status && fstatat(etc, scheduler->deny, &st, AT_SYMLINK_NOFOLLOW))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot look at %s", scheduler->deny);
    if (status && !deny)
        return 0;
    changed = edit(text ? text : "", account, deny);
    if (!changed)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory");
    if (!*changed && *made) {
        *made = false;
        if (unlinkat(etc, scheduler->deny, 0))
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot remove %s", scheduler->deny);
        return 0;
    }
    *made = *made || status;
    if (sbx_replace_file(etc, scheduler->deny, changed, st.st_mode & 0777, err))
        return -1;
    /* at reads its file with its group's rights. */
    if (!status && fchownat(etc, scheduler->deny, st.st_uid, st.st_gid, AT_SYMLINK_NOFOLLOW))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot give %s back its group", scheduler->deny);
    return 0;
}
