/* Files of policy: opened once, checked on the descriptor, read within bounds. */
#ifndef SBX_POLICY_CONFIG_FILE_H
#define SBX_POLICY_CONFIG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/err.h"

enum sbx_open_result { SBX_OPEN_FAILED = -1, SBX_OPEN_DONE = 0, SBX_OPEN_ABSENT = 1 };

/* How files are opened and what is demanded of them. */
struct sbx_opening {
    bool is_trusted; /* managed: no link is followed, root owns it, no other may write it */
    bool follows;    /* links are followed all the same: for the state root that the caller names */
    bool is_glance;  /* only to fstat: nothing is read */
    bool is_dir;     /* a directory is wanted, else a regular file */
};

/* Opens `name` below directory `at` (AT_FDCWD with an absolute or given path for the first). Never
 * blocks on a FIFO, never takes a terminal. Hostile input where not trusted: everything. `label` is
 * what messages call it. */
enum sbx_open_result sbx_config_open(const struct sbx_opening *how, int at, const char *name,
                                     const char *label, int *fd, struct sbx_err *err);

/* Reads a whole regular file of 1 to SBX_CONFIG_FILE_BYTES bytes; *bytes is malloc'ed, the
 * caller's. A file that changes meanwhile is an error. */
int sbx_config_slurp(int fd, const char *label, char **bytes, size_t *len,
                     struct sbx_err *err) SBX_MUST_CHECK;

/* Names of a folder's entries in C-locale order: those that end in .ini, or those that do not, which
 * nobody reads (of these SBX_CONFIG_FILES at most). What begins with a dot is in neither: it is
 * hidden, and where editors and we put what is half written. *names is malloc'ed in one block, the
 * caller's, and ends with NULL. */
enum sbx_listing { SBX_LIST_POLICY = 0, SBX_LIST_UNREAD };
int sbx_config_list(int fd, const char *label, enum sbx_listing which, char ***names,
                    struct sbx_err *err) SBX_MUST_CHECK;

/* Mixes what identifies a file's state into a stamp; fd -1 stands for an absent file. */
uint64_t sbx_config_stamp_mix(uint64_t stamp, const char *label, int fd);

#endif
