#include "sbxctl/whom.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sbxctl/operate.h"
#include "sbxctl/sbxctl.h"

static void find_groups(struct sbx_whom *whom)
{
    int kept = 0;
    whom->gid_count = SBX_WHOM_GROUPS;
    if (getgrouplist(whom->name, whom->subject.gid, whom->gids, &whom->gid_count) < 0)
        whom->gid_count = SBX_WHOM_GROUPS;
    for (int i = 0; i < whom->gid_count; i++) {
        struct group entry, *found = NULL;
        if (getgrgid_r(whom->gids[i], &entry, whom->buffer, sizeof(whom->buffer), &found) ||
            !found || strlen(entry.gr_name) >= sizeof(whom->group[0]))
            continue;
        memcpy(whom->group[kept], entry.gr_name, strlen(entry.gr_name) + 1);
        whom->groups[kept] = whom->group[kept];
        kept++;
    }
    whom->groups[kept] = NULL;
}

int sbx_whom_find(struct sbx_whom *whom, const char *account, const char *home,
                  const char *workspace)
{
    struct passwd entry, *found = NULL;
    whom->subject.uid = whom->subject.gid = 65534;
    if (account && !sbx_is_account_word(account))
        return SBX_EXIT_USAGE;
    if (account)
        (void)getpwnam_r(account, &entry, whom->buffer, sizeof(whom->buffer), &found);
    else
        (void)getpwuid_r(getuid(), &entry, whom->buffer, sizeof(whom->buffer), &found);
    const char *name = account ? account : found ? found->pw_name : NULL;
    if (!name)
        return sbx_usage("uid %u has no name; give --account", (unsigned)getuid());
    if (!home && found)
        home = found->pw_dir;
    if ((size_t)snprintf(whom->name, sizeof(whom->name), "%s", name) >= sizeof(whom->name) ||
        (size_t)snprintf(whom->home, sizeof(whom->home), "%s%s", home ? "" : "/home/",
                         home ? home : name) >= sizeof(whom->home))
        return sbx_usage("the account's name or home is too long");
    if (whom->home[0] != '/')
        return sbx_usage("--home must be an absolute path");
    whom->exists = found != NULL;
    if (found) {
        whom->subject.uid = found->pw_uid;
        whom->subject.gid = found->pw_gid;
        find_groups(whom);
    }
    whom->subject.account = whom->name;
    whom->subject.home = whom->home;
    whom->subject.workspace = workspace;
    return 0;
}
