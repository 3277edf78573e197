/* What stands on the PAM line after pam_sbx.so. */
#ifndef SBX_PAM_ARGS_H
#define SBX_PAM_ARGS_H

#include <stdbool.h>

#include "policy/err.h"

#define SBX_PAM_SERVICES 32
#define SBX_PAM_SETTINGS 64

enum sbx_join_place {
    SBX_JOIN_DETECT = 0, /* child for sshd, else session */
    SBX_JOIN_CHILD,      /* in the user's child, at its setcred */
    SBX_JOIN_SESSION,    /* in open_session */
};

/* Strings belong to PAM and last as long as its handle. Both lists end with NULL. */
struct sbx_pam_args {
    const char *root; /* root=DIR, or NULL */
    bool has_root;    /* without a root: it was malformed, and where policy lies is unknown */
    enum sbx_join_place join;
    const char *service[SBX_PAM_SERVICES + 1];
    const char *setting[SBX_PAM_SETTINGS + 1]; /* section.key=value */
};

/* An unknown or malformed word is an error: a misspelt restriction must not be a missing one. The
 * other words are taken all the same, so that the caller still learns whose login it is. */
int sbx_pam_args_parse(struct sbx_pam_args *args, int argc, const char **argv,
                       struct sbx_err *err) SBX_MUST_CHECK;

#endif
