/* The side of the control socket that asks. Used by pam_sbx and sbxctl. */
#ifndef SBX_WARDEN_CLIENT_H
#define SBX_WARDEN_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "jail/join.h"
#include "policy/err.h"
#include "warden/proto.h"

struct sbx_paths {   /* where the state directories are */
    char root[256];  /* "" or DIR of --root / root=DIR, no trailing slash */
    char programs[256]; /* folder of sbx-warden and its kin */
};

/* Finds the programs: the folder of `self` (an absolute path of a program or of the module) if
 * sbx-warden lies beside it, else the installed one. root may be NULL. Both must be absolute. */
int sbx_paths_init(struct sbx_paths *paths, const char *root, const char *self,
                   struct sbx_err *err) SBX_MUST_CHECK;

/* Everything a launch needs besides the account; owned by the caller. */
struct sbx_launch {
    const char *account;
    const char *jail;             /* UID, or UID-N */
    const char *policy;           /* --policy PATH, or NULL for the managed policy */
    const char *workspace;        /* --workspace DIR, or NULL */
    const char *const *settings;  /* --set section.key=value …, NULL-terminated, or NULL */
    const char *programs_bind;    /* folder bound read-only at its own path in the jail, or NULL */
    bool is_run;                  /* sbxctl run: no linger, the jail ends with its one session */
};

/* Joins the jail, starting its warden where there is none: one caller at a time (a lock file held
 * open meanwhile), so that two first logins give one jail. On success *session_fd is the session
 * (keep it open, close it to end the session) and *join holds what sbx_join_enter() needs.
 * Runs as root outside any jail. Nothing is left behind on failure. */
int sbx_client_join(const struct sbx_paths *paths, const struct sbx_launch *launch,
                    const struct sbx_join_request *request, struct sbx_join *join, int *session_fd,
                    struct sbx_err *err) SBX_MUST_CHECK;

/* Asks a live jail for its state; -1 with SBX_E_GONE where no warden answers. */
int sbx_client_state(const struct sbx_paths *paths, const char *jail, struct sbx_state *state,
                     struct sbx_err *err) SBX_MUST_CHECK;

/* Ends a jail and waits until it is gone. */
int sbx_client_kill(const struct sbx_paths *paths, const char *jail,
                    struct sbx_err *err) SBX_MUST_CHECK;

#endif
