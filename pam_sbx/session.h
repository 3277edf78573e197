/* The session that open_session prepares, and that is entered by whoever is to be confined.
 *
 * For sshd: prepared in root's monitor, which never enters; entered at the second setcred, which
 * sshd calls in the user's child while it is still root. For others: entered in open_session. */
#ifndef SBX_PAM_SESSION_H
#define SBX_PAM_SESSION_H

#include "pam_sbx/login.h"

#define SBX_EXIT_NO_JAIL 254 /* as sbxsh and sshd say it */

/* Joins the account's jail and keeps what is needed in PAM's handle. Returns PAM_SUCCESS, or refuses
 * with everything undone. has_auth_line: setcred will be asked, without which sshd's child would never
 * enter. Runs as root in the login program. Where it enters itself and fails
 * half-way, the process ends with _exit(254). */
int sbx_session_open(const struct sbx_login *login, bool has_auth_line);

/* True where this handle's session is open already: the module stands twice in the stack, as where
 * one service file includes another. The second time it has nothing to do, and inside the jail it
 * could not even read policy. */
bool sbx_session_is_open(pam_handle_t *pamh);

/* Enters in the user's child, exactly once; ends the child with _exit(254) on any failure, since the
 * answer of setcred is ignored there. Elsewhere does nothing. Returns PAM_SUCCESS after entering,
 * else PAM_IGNORE. */
int sbx_session_setcred(pam_handle_t *pamh);

/* Says goodbye to the warden and never waits: the jail's processes may be children of this very
 * process, and could not be reaped while it waits for them. */
int sbx_session_close(pam_handle_t *pamh);

#endif
