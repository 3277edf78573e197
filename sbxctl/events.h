/* Reading event files. Their lines are hostile in so far as they quote what an account wrote. */
#ifndef SBX_SBXCTL_EVENTS_H
#define SBX_SBXCTL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "policy/err.h"
#include "warden/client.h"

#define SBX_EVENT_FILES_MAX 65536

/* One event file by name: JAIL.jsonl, or JAIL.jsonl.N once rotated. */
struct sbx_event_file {
    char name[96];     /* within the directory */
    char chain[32];    /* the jail, or "host" */
    unsigned rotation; /* 0: the live file; larger: older */
};

/* Lists a directory's event files by chain, the oldest first. *files is malloc'ed. */
int sbx_event_files(int dirfd, struct sbx_event_file **files, size_t *count,
                    struct sbx_err *err) SBX_MUST_CHECK;

/* `events verify [FILE…]`; files may be empty: then all of LOG_DIR. Returns the exit status. */
int sbx_events_verify(const struct sbx_paths *paths, char *const *files, int count);

#endif
