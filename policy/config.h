/* Policy files, read and not yet compiled: every setting with the place where it is written. */
#ifndef SBX_POLICY_CONFIG_H
#define SBX_POLICY_CONFIG_H

#include "policy/policy.h"

#define SBX_CONFIG_FILE_BYTES  ((size_t)1024 * 1024) /* a larger file is refused by name */
#define SBX_CONFIG_FILES       1024
#define SBX_CONFIG_ITEMS       100000
#define SBX_CONFIG_LOWER_ITEMS 2000 /* of all files of scopes below flag together */

struct sbx_config; /* opaque; sbx_config_free() also after a failed read */

/* Where something is written. Line 0: the file as such, or no file; column 0: the line as such. */
struct sbx_place {
    const char *file;
    unsigned line, column; /* from 1; columns in bytes */
};

/* Writes "FILE:LINE:COLUMN: " into out, or as much of it as is known. */
void sbx_place_lead(const struct sbx_place *place, char *out, size_t size);

/* Told about everything found in a file: all errors of all files, not only the first. The message
 * carries the suggestion; where the place has no line, it begins with the name of the file. */
enum sbx_severity { SBX_SEVERITY_ERROR = 0, SBX_SEVERITY_WARNING, SBX_SEVERITY_NOTE };
struct sbx_reporter {
    void (*say)(void *data, enum sbx_severity severity, const struct sbx_place *place,
                const char *message);
    void *data;
};

int sbx_config_new(struct sbx_config **out, struct sbx_err *err) SBX_MUST_CHECK;
void sbx_config_free(struct sbx_config *config);

/* Reads the managed scope below `root` ("" or DIR): etc/sbx/policy.ini, the .ini files of policy.d
 * in C-locale order, then group.d/GROUP.ini of the groups given, account.d/ACCOUNT.ini. account may
 * be NULL: then only the first two kinds (enough to learn who is confined). Runs as root (or
 * anybody, for a check). Files and every parent up to the state root must be root's and not
 * writable by others, opened once without following links, checked on the descriptor, regular, in
 * bounds, no NUL. Returns -1 if any file has an error; *err is the first one with file:line:column,
 * the reporter (may be NULL) gets all. No file at all is no error: nothing is confined. */
int sbx_config_read_managed(struct sbx_config *config, const char *root, const char *account,
                            const char *const *groups, const struct sbx_reporter *reporter,
                            struct sbx_err *err) SBX_MUST_CHECK;

/* --policy FILE|DIR: that file, or that directory laid out like /etc/sbx, as the only managed
 * policy; owner and modes not checked. sandbox.enabled is yes unless the file says otherwise. */
int sbx_config_read_path(struct sbx_config *config, const char *path, const char *account,
                         const char *const *groups, const struct sbx_reporter *reporter,
                         struct sbx_err *err) SBX_MUST_CHECK;

/* sandbox.on_error = last-good: the texts of the managed files of a read without an error, which count
 * again while the files have one. sbx_config_keep() before the read; sbx_config_kept() after it, bytes
 * that are the config's, NULL where policy does not ask for it. */
void sbx_config_keep(struct sbx_config *config);
const void *sbx_config_kept(const struct sbx_config *config, size_t *len);

/* Reads them into a new config, under the names that the files had. They lie where root alone writes;
 * -1 where they are not what sbx_config_kept() gave. */
int sbx_config_read_kept(struct sbx_config *config, const void *bytes, size_t len,
                         struct sbx_err *err) SBX_MUST_CHECK;

/* For a check: reads every file there is, those of all groups and accounts too, of the managed
 * scope below `root`, or of `path` where it is not NULL. *files: how many were read. The result is
 * not for compiling. */
int sbx_config_check(struct sbx_config *config, const char *root, const char *path,
                     const struct sbx_reporter *reporter, size_t *files,
                     struct sbx_err *err) SBX_MUST_CHECK;

/* For a check of one file that will lie in group.d or account.d, where some keys are an error. */
void sbx_config_narrow(struct sbx_config *config);

/* One setting of the flag scope: "section.key=value"; origin names where it came from ("PAM line",
 * "--set"). Read the files first: a scalar that a managed file sets is locked, setting it an error. */
int sbx_config_set(struct sbx_config *config, const char *setting, const char *origin,
                   struct sbx_err *err) SBX_MUST_CHECK;

/* One file of a scope below flag: user, project, local. Who opens it, and whether it is trusted, is not
 * policy's business (warden/lower.h). */
struct sbx_lower_file {
    enum sbx_scope scope;
    const char *label; /* as messages call it */
    const char *base;  /* absolute: what its relative paths are relative to */
    bool may_extend;   /* out of the account's reach, or accepted: [scopes] extend holds for it */
};

/* Reads the text of such a file. What is wrong in it is an error, as in a managed file: what it was to
 * take away is not known then. Hostile input: bytes. */
int sbx_config_read_lower(struct sbx_config *config, const struct sbx_lower_file *file,
                          const char *bytes, size_t len, const struct sbx_reporter *reporter,
                          struct sbx_err *err) SBX_MUST_CHECK;

/* The settings, in the order they were read: for a process that reads for another one. `visit` returns
 * non-zero to stop, which is returned. */
struct sbx_config_setting {
    uint32_t key; /* enum sbx_key */
    uint32_t line, column, value_column;
    const char *command, *value; /* command: NAME of [command NAME], else NULL */
};
int sbx_config_each(const struct sbx_config *config,
                    int (*visit)(void *data, const struct sbx_config_setting *setting), void *data);

/* Adds one setting that another process read from the file. It is checked again; hostile input. */
int sbx_config_add_lower(struct sbx_config *config, const struct sbx_lower_file *file,
                         const struct sbx_config_setting *setting,
                         struct sbx_err *err) SBX_MUST_CHECK;

/* Settings that do not count, and why; known after sbx_policy_compile(). `at` starts at 0 and is the
 * caller's place; false at the end. The texts are the config's. */
struct sbx_ignored {
    enum sbx_key key;
    enum sbx_scope scope;
    const char *file, *value, *why;
    unsigned line;
};
bool sbx_config_ignored(const struct sbx_config *config, size_t *at, struct sbx_ignored *out);

/* A number that changes when any file read, or a directory looked into, was changed, replaced,
 * added or removed (device, inode, size, mtime, ctime of each). sbx_config_stamp_now() computes it
 * afresh without reading contents. */
uint64_t sbx_config_stamp(const struct sbx_config *config);
uint64_t sbx_config_stamp_now(const char *root, const char *account, const char *const *groups);

/* Who is confined. The caller looks names up (NSS is not policy's business). */
struct sbx_names {
    int (*uid_of)(void *data, const char *name,
                  uid_t *uid); /* 0 found, 1 no such name, -1 trouble */
    int (*in_group)(void *data, uid_t uid, const char *group); /* 1 yes, 0 no, -1 trouble */
    void *data;
};
/* *confined: sandbox.enabled, and uid is that of a listed user or in a listed group. Two listed
 * names of one uid, uid 0, or trouble with a name are errors (the caller refuses a confined
 * account's login and leaves all others alone). *confined is set on failure too, as far as is
 * known: true where this uid is among those listed, uid 0 included. A name that this machine lacks
 * is passed over. */
int sbx_config_confines(const struct sbx_config *config, uid_t uid, const struct sbx_names *names,
                        bool *confined, struct sbx_err *err) SBX_MUST_CHECK;
/* True where accounts.service, or the compiled-in list (sshd su su-l sudo cron), has the
 * service. */
bool sbx_config_serves(const struct sbx_config *config, const char *service);

/* Merges everything for one account, and marks in the config what does not count. The block is malloc'ed, owned by the caller; see policy.h.
 * home is absolute; workspace overrides filesystem.workspace where not NULL. Compiled-in zones (S,
 * P, D), private /tmp, harmless devices are added as path rules; Read/Edit rules join the path
 * lists. */
struct sbx_subject {
    const char *account, *home, *workspace;
    uid_t uid;
    gid_t gid;
};
int sbx_policy_compile(struct sbx_config *config, const struct sbx_subject *subject,
                       struct sbx_policy **out, struct sbx_err *err) SBX_MUST_CHECK;

/* The same, and says what is at fault where that is one setting: *err begins with that place then. Else
 * *culprit has neither file nor line. */
int sbx_policy_compile_or(struct sbx_config *config, const struct sbx_subject *subject,
                          struct sbx_policy **out, struct sbx_place *culprit,
                          struct sbx_err *err) SBX_MUST_CHECK;

#endif
