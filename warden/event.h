/* Events: JSON lines in one hash chain a file, and syslog. docs/events.md names the keys.
 *
 * Written by the warden (JAIL.jsonl) and, for what belongs to no jail, by pam_sbx and sbxctl through
 * the same functions (host.jsonl). Appending takes the file's lock, continues the chain from the
 * last line, writes one line in one write(2). What cannot be written is counted, goes to syslog, and
 * the next record that can be written says how many were lost. */
#ifndef SBX_WARDEN_EVENT_H
#define SBX_WARDEN_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "policy/err.h"

enum sbx_event_kind {
    SBX_EVENT_COMMAND = 0,
    SBX_EVENT_EXEC,
    SBX_EVENT_FILE,
    SBX_EVENT_NET,
    SBX_EVENT_SYSCALL,
    SBX_EVENT_APPROVAL,
    SBX_EVENT_POLICY,
    SBX_EVENT_SCRUB,
    SBX_EVENT_DISCLOSURE,
    SBX_EVENT_JAIL,
    SBX_EVENT_KIND_COUNT,
};

enum sbx_event_source { /* who witnessed it */
                        SBX_SOURCE_WARDEN = 0,
                        SBX_SOURCE_KERNEL,
                        SBX_SOURCE_NETD,
                        SBX_SOURCE_CLERK,
                        SBX_SOURCE_SHELL, /* claimed by the jail */
                        SBX_SOURCE_PAM,
                        SBX_SOURCE_SBXCTL,
};

/* Strings may be NULL: then the key is left out. Bytes that are no UTF-8 are escaped. */
struct sbx_event {
    enum sbx_event_kind kind;
    enum sbx_event_source source;
    const char *verdict; /* allow, ask, deny */
    const char *class, *rule, *origin, *by;
    const char *account;
    uid_t uid;
    uint32_t session; /* 0: none */
    const char *
        action; /* jail events: start, end, join, leave, refuse, stray, retire, clerk, note; policy: load */
    const char *reason;
    const char *command; /* with command_bytes */
    size_t command_bytes, command_total;
    const char *cwd, *path, *service, *rhost, *tty;
    int64_t pid;      /* 0: none */
    int64_t loginuid; /* -1: none */
};

struct sbx_log; /* opaque: one open chain */

/* Opens (makes, 0640 root:group) LOG_DIR/NAME.jsonl below dirfd, no symlinks followed; owner and mode
 * checked on the descriptor. group: gid that may read; 0: the directory's. Free with sbx_log_close(). */
int sbx_log_open(struct sbx_log **log, int dirfd, const char *name, gid_t group, bool use_syslog,
                 struct sbx_err *err) SBX_MUST_CHECK;

/* Appends one event; *seq (may be NULL) is its number, 0 where only syslog has it. -1 where the file
 * did not take it: counted, to be said later. */
int sbx_log_append(struct sbx_log *log, const struct sbx_event *event, uint64_t *seq,
                   struct sbx_err *err) SBX_MUST_CHECK;

/* [audit] rate: records a minute and kind; a minute's worth may come at once, a record counts once
 * more for each KiB of text. 0: the default. The jail's start and end are always recorded. */
#define SBX_LOG_RATE_DEFAULT 600u
void sbx_log_set_rate(struct sbx_log *log, uint32_t per_minute);

/* For a chain that many processes write to, each of them little, such as host.jsonl: budget and what
 * was dropped over it are kept beside the file and hold for all of them together. */
#define SBX_LOG_RATE_HOST 120u
void sbx_log_share(struct sbx_log *log, uint32_t per_minute);

/* Number and hash (64 hex digits) of the last record this log wrote or continued; 0 if none yet. */
uint64_t sbx_log_head(const struct sbx_log *log, char hash[65]);

uint64_t sbx_log_written(const struct sbx_log *log);
uint64_t sbx_log_dropped(const struct sbx_log *log);
void sbx_log_close(struct sbx_log *log);

const char *sbx_event_kind_name(enum sbx_event_kind kind);

#endif
