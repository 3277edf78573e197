/* Who our own helpers run as. */
#include <pwd.h>

#include "warden/client.h"

/* The package's user of that name, else a number of nobody's; never `avoid`. */
int sbx_helper_user(const char *name, uid_t avoid, struct sbx_helper_user *out, struct sbx_err *err)
{
    char buffer[8192];
    struct passwd entry, *found = NULL;
    if (!getpwnam_r(name, &entry, buffer, sizeof(buffer), &found) && found && entry.pw_uid != 0) {
        *out = (struct sbx_helper_user){.uid = entry.pw_uid, .gid = entry.pw_gid};
        return 0;
    }
    for (uid_t uid = SBX_HELPER_UID_FIRST; uid <= SBX_HELPER_UID_LAST; uid++) {
        if (uid == avoid || getpwuid_r(uid, &entry, buffer, sizeof(buffer), &found) || found)
            continue;
        *out = (struct sbx_helper_user){.uid = uid, .gid = uid};
        return 0;
    }
    return sbx_fail(err, SBX_E_SYSTEM, 0, "no uid from %u to %u is free for %s",
                    SBX_HELPER_UID_FIRST, SBX_HELPER_UID_LAST, name);
}
