/* The policy files of users and projects: who opens them, who parses them, which are trusted.
 *
 *     user      HOME/.config/sbx/policy.ini
 *     project   WORKSPACE/.sbx/policy.ini        of each workspace that managed policy names
 *     local     WORKSPACE/.sbx/policy.local.ini
 *
 * They may be the account's own, so that root neither walks the way there nor reads or parses them. A
 * child with the account's full credentials opens each below its home or workspace and copies it into a
 * sealed memfd; a second child, with those of the clerk and under its filter, parses the copy and hands
 * on settings of bounded size, which are checked again (sbx_config_add_lower()). */
#ifndef SBX_WARDEN_LOWER_H
#define SBX_WARDEN_LOWER_H

#include "policy/config.h"
#include "warden/client.h"

#define SBX_LOWER_WORKSPACES 32 /* files of more are an error: nobody could tell what they are */

struct sbx_lower_spec {
    const char *home;
    bool
        is_callers; /* nobody else's rights are needed to open them: the caller's own, or nobody's */
    uid_t uid;      /* the account's */
    gid_t gid;
    const gid_t *groups;
    size_t group_count;
    uid_t parser_uid; /* the clerk's; not used where is_callers */
    gid_t parser_gid;
    int trusted_fd; /* the file of accepted hashes (lower_trust.c), or -1 */
};

/* Adds what the files say. *policy is what is in force without them, and names the workspaces; where they
 * say anything it is compiled anew. A scope that [scopes] ignores is read all the same, so that it can be
 * told what does not count. Absent files are fine; whatever else is wrong is an error that names the file,
 * and a reason to refuse a login: *policy then stays as it was. The reporter may be NULL. */
int sbx_lower_add(struct sbx_config *config, const struct sbx_subject *subject,
                  const struct sbx_lower_spec *spec, const struct sbx_reporter *reporter,
                  struct sbx_policy **policy, struct sbx_err *err) SBX_MUST_CHECK;

/* Changes when one of the files changes, appears or goes. No file is opened for it, and no link of the
 * account's is followed. Where root cannot see them (NFS, FUSE) changes are seen at the next jail. */
uint64_t sbx_lower_stamp(const struct sbx_policy *managed, const char *home, uint64_t stamp);

/* --- accepted files: lines "SHA-256 PATH" ------------------------------------------------------ */
/* The list, opened with these flags: O_RDONLY or O_PATH; -1 where there is none. */
int sbx_trust_open(const struct sbx_paths *paths, int flags);

/* Is this text, at that path, one that an administrator accepted? Bytes are only hashed. */
bool sbx_trust_has(int trusted_fd, const char *path, const void *bytes, size_t len);

/* Writes the file anew in that directory with the path's line set to this text, or (bytes NULL) without
 * it. *changed tells whether anything did. */
int sbx_trust_set(int dir_fd, const char *path, const void *bytes, size_t len, bool *changed,
                  struct sbx_err *err) SBX_MUST_CHECK;

/* Calls for each line, until one returns non-zero. */
int sbx_trust_each(int trusted_fd, int (*visit)(void *data, const char *hash, const char *path),
                   void *data);

#endif
