/* The entry points of PAM. Thin: whose login, then the session. Nothing here throws anybody out who
 * is not ours, and nobody who is ours gets past a failure. */
#include <security/pam_modules.h>
#include <unistd.h>

#include "pam_sbx/login.h"
#include "pam_sbx/process.h"
#include "pam_sbx/session.h"
#include "pam_sbx/stack.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    (void)pamh, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}

EXPORT int pam_sm_chauthtok(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    (void)pamh, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}

EXPORT int pam_sm_acct_mgmt(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    struct sbx_err err = SBX_ERR_INIT;
    enum sbx_refusal refusal = SBX_REFUSE_UNAVAILABLE;
    _cleanup_login_ struct sbx_login login = {.config = NULL};
    /* From 9.8 on sshd takes a refusal here for a failed authentication, and after a few of them
     * serves nobody from that address, root included: others would pay for an account of ours that
     * tries again and again. Its session is refused instead. */
    if (sbx_process_is_sshd())
        return PAM_IGNORE;
    switch (sbx_login_find(&login, pamh, flags, argc, argv, &err)) {
    case SBX_STANDING_OTHER:
        return PAM_IGNORE;
    case SBX_STANDING_OURS:
        if (!sbx_login_check(&login, &refusal, &err))
            return PAM_IGNORE;
        break;
    default:
        break;
    }
    return sbx_login_refuse(&login, refusal, &err);
}

static int open_session(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    struct sbx_err err = SBX_ERR_INIT;
    enum sbx_refusal refusal = SBX_REFUSE_UNAVAILABLE;
    _cleanup_login_ struct sbx_login login = {.config = NULL};
    bool has_auth_line = sbx_stack_saw_open(pamh);
    switch (sbx_login_find(&login, pamh, flags, argc, argv, &err)) {
    case SBX_STANDING_OTHER:
        return PAM_IGNORE;
    case SBX_STANDING_OURS:
        if (!sbx_login_check(&login, &refusal, &err))
            return sbx_session_open(&login, has_auth_line);
        break;
    default:
        break;
    }
    return sbx_login_refuse(&login, refusal, &err);
}

EXPORT int pam_sm_open_session(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    if (sbx_session_is_open(pamh))
        return PAM_SUCCESS;
    int result = open_session(pamh, flags, argc, argv);
    if (result != PAM_SUCCESS && result != PAM_IGNORE)
        sbx_stack_note_refusal(pamh);
    return result;
}

/* sshd's child is about to become the account, and open_session never reached us: whoever is ours
 * goes no further. The answer of setcred is ignored there, so the process ends. */
static void stop_without_session(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    struct sbx_err err = SBX_ERR_INIT;
    _cleanup_login_ struct sbx_login login = {.config = NULL};
    if (!sbx_process_is_sshd() ||
        sbx_login_find(&login, pamh, flags, argc, argv, &err) == SBX_STANDING_OTHER)
        return;
    (void)sbx_fail(&err, SBX_E_DENIED, 0, "pam_sbx is missing from the session stack of %s",
                   login.service);
    (void)sbx_login_refuse(&login, SBX_REFUSE_UNAVAILABLE, &err);
    _exit(SBX_EXIT_NO_JAIL);
}

/* Enough for a client to ask for its command, and be told why there is none. */
#define REFUSED_SECONDS 5

/* sshd's child of a refused session starts and forwards nothing, yet it is a process of the account's
 * outside any jail, and a client that asks for nothing would keep it as long as it likes. */
static void limit_refused(pam_handle_t *pamh)
{
    if (sbx_stack_is_refused(pamh) && sbx_process_is_sshd())
        (void)alarm(REFUSED_SECONDS);
}

EXPORT int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    if ((unsigned)flags & PAM_DELETE_CRED)
        return PAM_IGNORE;
    if (sbx_stack_saw_setcred(pamh))
        stop_without_session(pamh, flags, argc, argv);
    limit_refused(pamh);
    return sbx_session_setcred(pamh);
}

EXPORT int pam_sm_close_session(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    (void)flags, (void)argc, (void)argv;
    return sbx_session_close(pamh);
}
