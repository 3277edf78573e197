/* What lower.c, lower_open.c and lower_parse.c share. */
#ifndef SBX_WARDEN_LOWER_INTERNAL_H
#define SBX_WARDEN_LOWER_INTERNAL_H

#include <limits.h>

#include "warden/lower.h"

#define SBX_LOWER_TIMEOUT_MS 10000 /* for all files together; a file system may hang */

/* One place where a file may be. */
struct sbx_lower_place {
    enum sbx_scope scope;
    char top[PATH_MAX]; /* home or workspace: links that are root's are followed on the way there */
    const char *name;   /* below it; never left */
    char path[PATH_MAX]; /* both, as messages call it */
    char base[PATH_MAX]; /* of its relative paths */
};

/* What the first child found at a place. */
struct sbx_lower_found {
    int errnum;  /* ENOENT: nothing; else why it cannot be read; 0: the rest holds */
    int text_fd; /* a memfd with what it says; sealed where another process made it */
    int file_fd; /* the file, for its owner and mode */
    int dir_fd;  /* O_PATH: the directory it lies in */
};
void sbx_lower_close(struct sbx_lower_found *found);

/* In this process, with what rights it has. */
void sbx_lower_open(const struct sbx_lower_place *place, struct sbx_lower_found *found);

/* By a child with the account's credentials. found[] is the caller's to close, also after a failure. */
int sbx_lower_open_as(const struct sbx_lower_place *places, size_t count,
                      const struct sbx_lower_spec *spec, struct sbx_lower_found *found,
                      struct sbx_err *err) SBX_MUST_CHECK;

/* What a file says, as it was copied. */
struct sbx_lower_text {
    const char *bytes;
    size_t len;
};

/* Parses by a child with the clerk's credentials. Hostile input: the text, and what the child says. */
int sbx_lower_parse(struct sbx_config *config, const struct sbx_lower_file *file,
                    const struct sbx_lower_text *text, const struct sbx_lower_spec *spec,
                    const struct sbx_reporter *reporter, struct sbx_err *err) SBX_MUST_CHECK;

/* Waits for a child of ours until then, and ends it if it is not done. */
void sbx_lower_reap(pid_t pid);

/* Readable within what is left until the deadline of sbx_now_ms()? */
bool sbx_lower_wait(int fd, int64_t deadline_ms);

#endif
