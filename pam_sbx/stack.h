/* Which of our lines the service's stacks have: the join of an sshd session rests on all of them.
 *
 * sshd calls setcred in the monitor, then open_session there, then setcred again in the user's child.
 * Without an auth line the child would never be asked to join; without a session line there would be
 * nothing to join. Both are mistakes of an administrator, and must not let anybody in unconfined. */
#ifndef SBX_PAM_STACK_H
#define SBX_PAM_STACK_H

#include <security/pam_modules.h>
#include <stdbool.h>

/* Notes a call of setcred. True where it is the second one of a handle whose session was never
 * opened through us: the session line is missing. */
bool sbx_stack_saw_setcred(pam_handle_t *pamh);

/* Notes a call of open_session. True where setcred was called before it, which shows that the auth
 * line is there. False too where memory ran out. */
bool sbx_stack_saw_open(pam_handle_t *pamh);

/* open_session refused; and whether it did. sshd goes on after it with what it calls a restricted
 * session, so that its child can show the reason. */
void sbx_stack_note_refusal(pam_handle_t *pamh);
bool sbx_stack_is_refused(pam_handle_t *pamh);

#endif
