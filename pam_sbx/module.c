/* The entry points of PAM. Thin: whose login, then the session. Nothing here throws anybody out who
 * is not ours, and nobody who is ours gets past a failure. */
#include <security/pam_modules.h>

#include "jail/kernel.h"
#include "pam_sbx/login.h"
#include "pam_sbx/session.h"

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
    switch (sbx_login_find(&login, pamh, flags, argc, argv, &err)) {
    case SBX_STANDING_OTHER:
        return PAM_IGNORE;
    case SBX_STANDING_OURS:
        /* The warden asks the kernel again; here it is told before the login is let on. */
        if (!sbx_login_check(&login, &refusal, &err) && !sbx_kernel_require(&err))
            return PAM_IGNORE;
        break;
    default:
        break;
    }
    return sbx_login_refuse(&login, refusal, &err);
}

EXPORT int pam_sm_open_session(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    struct sbx_err err = SBX_ERR_INIT;
    enum sbx_refusal refusal = SBX_REFUSE_UNAVAILABLE;
    _cleanup_login_ struct sbx_login login = {.config = NULL};
    if (sbx_session_is_open(pamh))
        return PAM_SUCCESS;
    switch (sbx_login_find(&login, pamh, flags, argc, argv, &err)) {
    case SBX_STANDING_OTHER:
        return PAM_IGNORE;
    case SBX_STANDING_OURS:
        if (!sbx_login_check(&login, &refusal, &err))
            return sbx_session_open(&login);
        break;
    default:
        break;
    }
    return sbx_login_refuse(&login, refusal, &err);
}

EXPORT int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    (void)argc, (void)argv;
    return sbx_session_setcred(pamh, flags);
}

EXPORT int pam_sm_close_session(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    (void)flags, (void)argc, (void)argv;
    return sbx_session_close(pamh);
}
