/* A session without a jail that managed policy lets be, and how sbxsh knows it from an attack.
 *
 * Root makes /run/sbx/unjailed/UID: `policy` and `brief.md` for the shell, and for each login a file
 * sN, N being the login's number in the kernel's audit. The kernel gives that number when root sets the
 * login uid, hands it down to every process of the login, lets no account change it and never gives it
 * again; so a record names one login, and what starts the shell by another way in has no record.
 * Nothing comes from the environment. */
#ifndef SBX_JAIL_UNJAILED_H
#define SBX_JAIL_UNJAILED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "jail/sessiondir.h"

#define SBX_UNJAILED_DIR   "/run/sbx/unjailed"
#define SBX_UNJAILED_MAGIC 0x31757273u

struct sbx_unjailed {
    uint32_t magic, uid;
    uint32_t login; /* its number in the kernel's audit */
    char told[640]; /* for the session's terminal: why it has no jail, and what lets it be */
};

/* Root's side: writes the record of the calling process's login into the account's folder, an open
 * descriptor. Its login uid is set already. Replaces a record of the same login. */
int sbx_unjailed_write(int dir_fd, uid_t uid, const char *told, struct sbx_err *err) SBX_MUST_CHECK;

/* Root's side: removes records of logins of which no process is left. `ends`: the calling process's login
 * is ending, and lives on only in processes of the account's. Returns how many stay. */
unsigned sbx_unjailed_sweep(int dir_fd, uid_t uid, bool ends);

/* The shell's side, as the account: opens the account's folder and reads the record of this process's
 * login. All of the way there MUST be root's, nobody else's to write; uid and login MUST be this
 * process's. On -1 this is no session that anybody let be. */
int sbx_unjailed_open(struct sbx_sessiondir *session, struct sbx_unjailed *record,
                      struct sbx_err *err) SBX_MUST_CHECK;

#endif
