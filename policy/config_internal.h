/* What config.c, config_read.c and the compiler share. */
#ifndef SBX_POLICY_CONFIG_INTERNAL_H
#define SBX_POLICY_CONFIG_INTERNAL_H

#include "policy/arena.h"
#include "policy/config.h"

#define SBX_CONFIG_BYTES ((size_t)64 * 1024 * 1024) /* of all texts together */

struct sbx_entry {
    enum sbx_key key;
    uint32_t scope; /* enum sbx_scope */
    uint32_t line;
    uint32_t column, value_column; /* of the key, of the value; 0 where there is no file */
    const char *file;              /* as messages call it */
    const char *command;           /* NAME of [command NAME], or NULL */
    const char *value;
    int64_t number;      /* of a scalar */
    const char *base;    /* what its relative paths are relative to; NULL: the home */
    bool may_extend;     /* its file is out of the account's reach, or was accepted */
    const char *ignored; /* why it does not count, or NULL */
};

struct sbx_config {
    struct sbx_arena arena;
    struct sbx_entry *entries; /* in the order they were read */
    size_t count, room;
    size_t files;
    uint64_t stamp;
    bool is_path;   /* read by sbx_config_read_path() */
    bool is_narrow; /* the file being read is that of one group or account */
    bool keeps;     /* the texts of managed files, in kept */
    struct {
        char *bytes;
        size_t len, room;
    } kept;
    size_t lower_count;                 /* settings of such files */
    const struct sbx_lower_file *lower; /* the file being read, of a scope below flag */
};

/* A message about one place, for the reporter and, where it is the first error, for *err. */
struct sbx_telling {
    const struct sbx_reporter *reporter; /* may be NULL */
    struct sbx_err *err;
    unsigned errors;
};
void sbx_tell(struct sbx_telling *telling, enum sbx_severity severity, enum sbx_err_code code,
              const struct sbx_place *place, const char *message);

/* Puts where the entry's value stands in front of the message. Returns -1. */
int sbx_entry_blame(const struct sbx_entry *entry, struct sbx_err *err);

/* Parses the bytes of one file into entries of that scope; every fault is told. Returns -1 where an
 * error was. */
int sbx_config_parse(struct sbx_config *config, enum sbx_scope scope, const char *file,
                     const char *bytes, size_t len, struct sbx_telling *telling) SBX_MUST_CHECK;

/* scopes.c: says of each entry below the managed scope whether it counts. The home is normalised;
 * workspace: one that an option gives, or NULL. */
int sbx_scopes_settle(struct sbx_config *config, const char *home, const char *workspace,
                      struct sbx_err *err) SBX_MUST_CHECK;

/* config_kept.c: adds the text of a file that was read. */
int sbx_config_keep_file(struct sbx_config *config, enum sbx_scope scope, const char *label,
                         const char *bytes, size_t len) SBX_MUST_CHECK;

/* The entry that counts for a scalar, or NULL where none sets it. */
const struct sbx_entry *sbx_config_winner(const struct sbx_config *config, enum sbx_key key);

#endif
