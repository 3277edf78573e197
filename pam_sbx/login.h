/* One call of PAM: whose login it is, whether it is ours, and how it is refused. */
#ifndef SBX_PAM_LOGIN_H
#define SBX_PAM_LOGIN_H

#include <security/pam_modules.h>
#include <stdbool.h>
#include <sys/types.h>

#include "pam_sbx/args.h"
#include "policy/config.h"
#include "policy/err.h"
#include "warden/client.h"

struct sbx_login { /* strings belong to PAM's handle */
    pam_handle_t *pamh;
    int flags; /* of the call: PAM_SILENT */
    struct sbx_pam_args args;
    struct sbx_paths paths;
    struct sbx_config *config; /* owned: sbx_login_release(); NULL where it could not be read */
    bool is_last_good;         /* the config is the last one without an error */
    const char *account, *shell, *service, *tty, *rhost;
    uid_t uid;
};

enum sbx_standing {
    SBX_STANDING_OTHER = 0, /* not ours: PAM_IGNORE, and no trace */
    SBX_STANDING_OURS,
    SBX_STANDING_UNKNOWN, /* policy cannot tell, and the account's shell is sbxsh, or it is listed */
};

/* Finds out whose login this is and whether managed policy confines it, by uid. For SBX_STANDING_UNKNOWN
 * *err says why. Runs as root in the login program. The names that PAM has are the client's; nothing
 * else that is hostile is read. uid 0 is never ours; that it is listed is said in the log. */
enum sbx_standing sbx_login_find(struct sbx_login *login, pam_handle_t *pamh, int flags, int argc,
                                 const char **argv, struct sbx_err *err) SBX_MUST_CHECK;

/* Takes PAM's items anew: the program may have replaced them since (what they pointed to is gone). */
void sbx_login_refresh(struct sbx_login *login);

void sbx_login_release(struct sbx_login *login);
#define _cleanup_login_ __attribute__((cleanup(sbx_login_release)))

enum sbx_refusal { /* which fixed sentence the terminal gets */
                   SBX_REFUSE_UNAVAILABLE = 0,
                   SBX_REFUSE_SERVICE,
                   SBX_REFUSE_TERMINAL,
};

/* What can be told before the jail is asked for: service, name, the process. */
int sbx_login_check(const struct sbx_login *login, enum sbx_refusal *refusal,
                    struct sbx_err *err) SBX_MUST_CHECK;

/* Whether the session's first program will stand between a terminal of somebody else and the
 * account's programs. Not asked for sshd, whose terminals are its own. */
int sbx_login_check_terminal(const struct sbx_login *login, struct sbx_err *err) SBX_MUST_CHECK;

/* True for su, sudo and the like, which act for somebody who has logged in before. */
bool sbx_login_is_switch(const struct sbx_login *login);

/* Refuses: details to the system log, an event to host.jsonl, one fixed sentence to the terminal.
 * Returns PAM_PERM_DENIED. Never PAM_SESSION_ERR: sudo goes on after that. */
int sbx_login_refuse(const struct sbx_login *login, enum sbx_refusal refusal,
                     const struct sbx_err *err);

/* The sentence alone, unless the program asked for silence. */
void sbx_login_tell(const struct sbx_login *login, enum sbx_refusal refusal);

struct sbx_log;

/* The log of events that belong to no jail; NULL where it cannot be opened, which stops nothing. */
struct sbx_log *sbx_login_open_log(const struct sbx_login *login);

/* Records a refusal in it. Works in any mount namespace: the log was opened before. */
void sbx_login_record(const struct sbx_login *login, struct sbx_log *log, const char *reason);

/* The session is to have no jail, which a managed file lets be: one event, a line in the system log, one
 * warning for whoever logs in, unless sbxsh says it. -1 where it cannot be recorded: then nobody is let
 * in. Before the session begins. */
int sbx_login_admit(const struct sbx_login *login, const struct sbx_unjailed_login *unjailed,
                    struct sbx_err *err) SBX_MUST_CHECK;

/* Whether the session begins with sbxsh, as far as the service tells. */
bool sbx_login_starts_sbxsh(const struct sbx_login *login);

#endif
