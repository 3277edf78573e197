/* The side of the control socket that asks. Used by pam_sbx and sbxctl. */
#ifndef SBX_WARDEN_CLIENT_H
#define SBX_WARDEN_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "jail/join.h"
#include "policy/config.h"
#include "policy/err.h"
#include "warden/proto.h"

/* Where the package's users are absent the helpers get numbers that no account has. */
#define SBX_HELPER_UID_FIRST 61184u
#define SBX_HELPER_UID_LAST  65519u

struct sbx_helper_user {
    uid_t uid;
    gid_t gid;
};

int sbx_helper_user(const char *name, uid_t avoid, struct sbx_helper_user *out,
                    struct sbx_err *err) SBX_MUST_CHECK;

/* clock_gettime(CLOCK_MONOTONIC), in milliseconds. */
int64_t sbx_now_ms(void);

struct sbx_paths {      /* where the state directories are */
    char root[256];     /* "" or DIR of --root / root=DIR, no trailing slash */
    char programs[256]; /* folder of sbx-warden and its kin */
};

/* Finds the programs: the folder of `self` (an absolute path of a program or of the module) if
 * sbx-warden lies beside it, else the installed one. root may be NULL. Both must be absolute. */
int sbx_paths_init(struct sbx_paths *paths, const char *root, const char *self,
                   struct sbx_err *err) SBX_MUST_CHECK;

/* Opens one of the state directories ("/run/sbx/jails" …) below the state root, as O_PATH, without
 * following links; with `mode` not 0 makes what is missing (parents 0755, the last with that mode,
 * whatever the umask). Every directory must be root's (or, for tests without root, the caller's);
 * from ".../sbx" on nobody else may write, above it not everybody. Returns the descriptor or -1. */
int sbx_paths_open(const struct sbx_paths *paths, const char *dir, mode_t mode,
                   struct sbx_err *err) SBX_MUST_CHECK;

/* The last policy that was read for an account without an error (sbx_config_kept()), where policy asks
 * for it; else nothing is kept, and what was is removed. The config is one of sbx_config_keep(). */
int sbx_lastgood_keep(const struct sbx_paths *paths, uid_t uid, const struct sbx_config *config,
                      struct sbx_err *err) SBX_MUST_CHECK;

int sbx_lastgood_drop(const struct sbx_paths *paths, uid_t uid, struct sbx_err *err) SBX_MUST_CHECK;

/* Reads it into a new config. -1 where there is none. */
int sbx_lastgood_read(const struct sbx_paths *paths, uid_t uid, struct sbx_config *config,
                      struct sbx_err *err) SBX_MUST_CHECK;

/* A jail's id is digits, or digits-digits: nothing that could walk out of a directory. */
bool sbx_jail_id_valid(const char *jail);
/* JAIL~PID: a jail that left its id to a successor and is in its grace. State and kill know it by that. */
bool sbx_jail_name_retired(const char *name);

/* Gives out the next id UID-N. N is never given twice. Runs as root. */
int sbx_jail_number(const struct sbx_paths *paths, uid_t uid, char jail[SBX_JAIL_ID_BYTES],
                    struct sbx_err *err) SBX_MUST_CHECK;

/* Why a login has no jail, and the managed file that lets that be. */
struct sbx_unjailed_login {
    char rule[64], origin[256], why[320]; /* as in policy/exempt.h */
    char told[640];                       /* one line for whoever logs in */
};

/* Everything a launch needs besides the account; owned by the caller.
 *
 * It reaches `sbx-warden --launch JAIL [--root DIR]` on its standard input, an unnamed file, one
 * key=value a line: account, uid, policy, workspace, set (repeated), programs, run (yes or no);
 * absent where there is none. The launcher
 * says on its standard output (or error) why it failed, one line; with exit status 0 a line jail=ID
 * names the jail that was made, where that is another than asked for (scope = session: UID-N).
 * The launcher starts with the login's cgroup and login uid; umask, limits, signals, environment,
 * working directory and session are already its own. */
struct sbx_launch {
    const char *account;
    const char *jail;            /* UID, or UID-N */
    const char *policy;          /* --policy PATH, or NULL for the managed policy */
    const char *workspace;       /* --workspace DIR, or NULL */
    const char *const *settings; /* --set section.key=value …, NULL-terminated, or NULL */
    const char *programs_bind;   /* folder bound read-only at its own path in the jail, or NULL */
    bool is_run;                 /* sbxctl run: no linger, the jail ends with its one session */
    struct sbx_unjailed_login *unjailed; /* filled in with SBX_E_UNJAILED */
};

/* Joins the jail, starting its warden where there is none: one starter at a time (jails/JAIL.lock,
 * held meanwhile and removed before it is let go; whoever takes it checks that it is still the
 * file of that name), so that two first logins give one jail. is_run never joins a jail that lives.
 * On success *session_fd is the session (keep it open, close it to end the session) and *join holds
 * what sbx_join_enter() needs. Every exchange has a deadline; the answering side must be root's.
 * Runs as root outside any jail, also in a PAM application: no signal is set or waited for, and the
 * launcher is no child that wait(2) of the application would see. Nothing is left on failure.
 * SBX_E_UNJAILED is no failure of that kind: no jail is wanted, or none can be had, and a managed file
 * lets the session be without one; the record that sbxsh looks for is made (jail/unjailed.h), for which
 * the login uid must be set. Never where is_run. */
int sbx_client_join(const struct sbx_paths *paths, const struct sbx_launch *launch,
                    const struct sbx_join_request *request, struct sbx_join *join, int *session_fd,
                    struct sbx_err *err) SBX_MUST_CHECK;

/* A session without a jail is over: its record goes, and with the last one the account's folder, unless
 * processes of the account are left of that login. Never waits. */
void sbx_client_unjailed_end(const struct sbx_paths *paths, uid_t uid);

/* One digest for settings that mean the same: the order of different keys does not count. "" for
 * none. */
int sbx_settings_digest(const char *const *settings, char out[SBX_SETTINGS_BYTES],
                        struct sbx_err *err) SBX_MUST_CHECK;

/* Asks a live jail for its state; -1 with SBX_E_GONE where no warden answers. */
int sbx_client_state(const struct sbx_paths *paths, const char *jail, struct sbx_state *state,
                     struct sbx_err *err) SBX_MUST_CHECK;

/* Ends the session politely: says so and closes *session_fd (set to -1). Never waits. */
void sbx_client_bye(int *session_fd);

/* Ends a jail and waits until it is gone. */
int sbx_client_kill(const struct sbx_paths *paths, const char *jail,
                    struct sbx_err *err) SBX_MUST_CHECK;

#endif
