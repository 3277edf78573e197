/* Whose policy is asked for: an account that need not exist, from passwd and group where it does. */
#ifndef SBX_SBXCTL_WHOM_H
#define SBX_SBXCTL_WHOM_H

#include "policy/config.h"

#define SBX_WHOM_GROUPS 256

struct sbx_whom { /* the subject and the list of groups point into it: it must not be copied */
    struct sbx_subject subject;
    char name[256], home[4096], buffer[65536];
    char group[SBX_WHOM_GROUPS][64];
    const char *groups[SBX_WHOM_GROUPS + 1]; /* NULL-terminated names */
    gid_t gids[SBX_WHOM_GROUPS];
    int gid_count;
    bool exists; /* in passwd */
};

/* The caller where account is NULL; home from passwd, else /home/ACCOUNT, unless given. uid 0 is taken
 * as any other. Returns 0, or SBX_EXIT_USAGE after having said what is wrong. */
int sbx_whom_find(struct sbx_whom *whom, const char *account, const char *home,
                  const char *workspace);

#endif
