/* One event as one line of JSON, and as one line for syslog. Pure: nothing is written here. */
#ifndef SBX_WARDEN_RECORD_H
#define SBX_WARDEN_RECORD_H

#include <time.h>

#include "warden/chain.h"
#include "warden/event.h"

#define SBX_TIME_TEXT_BYTES 32

/* What the file adds to an event. */
struct sbx_record_place {
    const char *name; /* of the chain: the jail, or "host" */
    struct timespec when;
    uint64_t seq;
    const char *prev;
    const uint64_t *dropped; /* [SBX_EVENT_KIND_COUNT]: not recorded since the last record */
    const struct sbx_torn *torn;
    const char *aside; /* name that an unreadable file was given, or NULL */
};

/* "2026-11-30T16:35:20.123456Z" */
void sbx_time_text(const struct timespec *when, char out[SBX_TIME_TEXT_BYTES]);

/* Makes the line, newline not included. *line is malloc'ed, owned by the caller. Strings of the
 * event may hold any bytes. */
int sbx_record_compose(const struct sbx_event *event, const struct sbx_record_place *place,
                       char **line, size_t *len, struct sbx_err *err) SBX_MUST_CHECK;

/* The same in short as printable text: what a syslog daemon gets. Cut to size. */
void sbx_record_summary(const struct sbx_event *event, const struct sbx_record_place *place,
                        const char *head, char *out, size_t size);

/* Bytes of text that the event holds: what the rate budget counts. */
size_t sbx_record_weight(const struct sbx_event *event);

#endif
