/* Who is let in without a jail. Only a managed file can say so: what the flag scope, users or projects
 * write changes nothing here. */
#ifndef SBX_POLICY_EXEMPT_H
#define SBX_POLICY_EXEMPT_H

#include "policy/policy.h"

/* The words of sandbox.platform, in their order; and what is none of them. */
enum sbx_platform {
    SBX_PLATFORM_LINUX = 0,
    SBX_PLATFORM_WSL2,
    SBX_PLATFORM_CONTAINER,
    SBX_PLATFORM_WSL1, /* no kernel that could hold a jail: never left out, always unavailable */
};
const char *sbx_platform_name(enum sbx_platform platform);

struct sbx_exempt {
    char rule[64];    /* "sandbox.mode = disabled" */
    char origin[256]; /* FILE:LINE */
    char why[320];    /* what is so that the rule speaks of */
};

/* What this machine is like, as root found it out. */
struct sbx_machine {
    enum sbx_platform platform;
    const char *lacks; /* what is missing for certain, NULL: nothing, or nobody knows */
};

/* True where the account is to have no jail: mode disabled, a platform that the list leaves out, or a
 * machine that cannot hold one where fail_if_unavailable = no. *out says what and where. Pure. */
bool sbx_exempt_find(const struct sbx_policy *policy, const struct sbx_machine *machine,
                     struct sbx_exempt *out);

#endif
