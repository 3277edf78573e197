#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/cleanup.h"
#include "policy/config.h"
#include "sbxctl/doctor.h"
#include "sbxctl/enroll.h"
#include "sbxctl/sbxctl.h"

/* Names that every tool takes for a name, and that stay within one line and one path component. */
static bool is_plain_name(const char *name)
{
    size_t len = strlen(name);
    return len && len < 33 && name[0] != '-' && name[0] != '.' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
               len &&
           strspn(name, "0123456789") != len;
}

static int check_groups(const struct sbx_run_account *account, struct sbx_err *err)
{
    for (int i = 0; i < account->group_count; i++) {
        struct group entry, *found = NULL;
        _cleanup_free_ char *buffer = malloc(65536);
        if (!buffer || getgrgid_r(account->groups[i], &entry, buffer, 65536, &found))
            return sbx_fail(err, SBX_E_SYSTEM, 0, "cannot look up group %u", account->groups[i]);
        const char *why = found ? sbx_group_danger(entry.gr_name) : NULL;
        if (why)
            return sbx_fail(err, SBX_E_DENIED, 0,
                            "%s is in group %s, which %s; take it out first: gpasswd -d %s %s",
                            account->name, entry.gr_name, why, account->name, entry.gr_name);
    }
    return 0;
}

static int check_account(const struct sbx_run_account *account, struct sbx_err *err)
{
    struct stat st;
    if (lstat(account->home, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot look at the home %s", account->home);
    if (!S_ISDIR(st.st_mode) || st.st_uid != account->uid)
        return sbx_fail(err, SBX_E_TRUST, 0, "the home %s is no directory of %s's own",
                        account->home, account->name);
    return check_groups(account, err);
}

/* The first workspace that policy gives the account. */
static int find_workspace(struct sbx_enroll *enroll, struct sbx_err *err)
{
    const struct sbx_run_account *account = &enroll->account;
    const struct sbx_subject subject = {
        .account = account->name, .home = account->home, .uid = account->uid, .gid = account->gid};
    struct sbx_config *config = NULL;
    struct sbx_policy *policy = NULL;
    int result = sbx_config_new(&config, err) ||
                         sbx_config_read_managed(config, enroll->paths.root, account->name, NULL,
                                                 NULL, err) ||
                         sbx_policy_compile(config, &subject, &policy, err)
                     ? -1
                     : 0;
    if (!result) {
        (void)snprintf(enroll->workspace, sizeof(enroll->workspace), "%s",
                       sbx_policy_text(policy, policy->workspace));
        if (!sbx_policy_flag(policy, SBX_KEY_SANDBOX_ENABLED))
            (void)fputs(
                "note: policy says [sandbox] enabled = no: nobody is confined until it is yes\n",
                stdout);
    }
    free(policy);
    if (config)
        sbx_config_free(config);
    return result;
}

/* The sbxsh that belongs to this sbxctl. */
static void find_shell(struct sbx_enroll *enroll)
{
    char self[PATH_MAX] = "";
    ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - sizeof("/sbxsh"));
    char *slash = len > 0 ? strrchr(self, '/') : NULL;
    if (slash)
        memcpy(slash, "/sbxsh", sizeof("/sbxsh"));
    (void)snprintf(enroll->sbxsh, sizeof(enroll->sbxsh), "%.500s",
                   slash && !access(self, X_OK) ? self : "/usr/bin/sbxsh");
}

static int prepare(int argc, char **argv, struct sbx_enroll *enroll)
{
    const char *root = NULL;
    const struct sbx_option options[] = {
        {"--root",    SBX_OPT_TEXT, &root},
        {"--dry-run",      SBX_OPT_FLAG, &enroll->dry_run},
        {0}
    };
    int first;
    if (sbx_options_read(argc, argv, options, true, &first))
        return SBX_EXIT_USAGE;
    if (argc - first != 1)
        return sbx_usage("%s: name one account", argv[0]);
    if (!is_plain_name(argv[first]))
        return sbx_usage("%s: '%s' is no plain account name", argv[0], argv[first]);
    if (geteuid() != 0)
        return sbx_usage("%s: needs root", argv[0]);
    if (sbx_operate_paths(root, &enroll->paths))
        return SBX_EXIT_USAGE;
    find_shell(enroll);
    (void)snprintf(enroll->account.name, sizeof(enroll->account.name), "%s", argv[first]);
    return 0;
}

/* The record as it is. One of an account that had this name before, and another number, is taken as
 * far as it still says something: the mask was that one's. */
static int read_record(struct sbx_enroll *enroll, struct sbx_err *err)
{
    struct sbx_enrolled *done = &enroll->done;
    int found = sbx_enrolled_read(&enroll->paths, enroll->account.name, done, err);
    if (found < 0)
        return -1;
    if (!found && done->uid && done->uid != enroll->account.uid) {
        if (sbx_unenroll_mask(enroll, err))
            return -1;
        done->shell[0] = done->workspace[0] = '\0';
    }
    done->uid = enroll->account.uid;
    return 0;
}

typedef int step(struct sbx_enroll *enroll, struct sbx_err *err);

/* The record is written after each step, so that also half an enrolment can be undone. */
static int walk(struct sbx_enroll *enroll, step *const *steps, struct sbx_err *err)
{
    for (; *steps; steps++)
        if ((*steps)(enroll, err) || sbx_enrolled_write(enroll, err))
            return -1;
    return 0;
}

int sbx_verb_enroll(int argc, char **argv)
{
    /* The shell last: before it the account logs in confined or as ever, never neither. */
    static step *const steps[] = {sbx_enroll_workspace,
                                  sbx_enroll_mask,
                                  sbx_enroll_linger,
                                  sbx_enroll_jobs,
                                  sbx_enroll_list,
                                  sbx_enroll_shell,
                                  NULL};
    struct sbx_enroll enroll = {0};
    struct sbx_err err = SBX_ERR_INIT;
    int status = prepare(argc, argv, &enroll);
    if (status)
        return status;
    if (access(enroll.sbxsh, X_OK))
        return sbx_usage("enroll: no shell %s: install sbx first", enroll.sbxsh);
    if (sbx_run_lookup(enroll.account.name, &enroll.account, &err) ||
        check_account(&enroll.account, &err) || find_workspace(&enroll, &err) ||
        read_record(&enroll, &err) || walk(&enroll, steps, &err))
        return sbx_complain(&err);
    if (!enroll.dry_run)
        (void)printf("%s is enrolled; sbxctl doctor tells what is left to do\n",
                     enroll.account.name);
    return SBX_EXIT_OK;
}

/* userdel may have come first: what enroll did outside the account is undone all the same. */
static int find_account(struct sbx_enroll *enroll, struct sbx_err *err)
{
    struct sbx_err own = SBX_ERR_INIT;
    if (!sbx_run_lookup(enroll->account.name, &enroll->account, &own))
        return 0;
    enroll->is_gone = own.code == SBX_E_GONE;
    if (enroll->is_gone && (enroll->done.uid || !enroll->done.masked))
        return 0;
    *err = own;
    return -1;
}

/* Else it would confine the account again on the day that policy has an error. */
static int drop_last_good(struct sbx_enroll *enroll, struct sbx_err *err)
{
    return enroll->dry_run || !enroll->done.uid
               ? 0
               : sbx_lastgood_drop(&enroll->paths, enroll->done.uid, err);
}

int sbx_verb_unenroll(int argc, char **argv)
{
    static step *const steps[] = {
        sbx_unenroll_shell, sbx_unenroll_list,   drop_last_good,         sbx_unenroll_jobs,
        sbx_unenroll_mask,  sbx_unenroll_linger, sbx_unenroll_workspace, NULL};
    struct sbx_enroll enroll = {0};
    struct sbx_err err = SBX_ERR_INIT;
    int status = prepare(argc, argv, &enroll);
    if (status)
        return status;
    int found = sbx_enrolled_read(&enroll.paths, enroll.account.name, &enroll.done, &err);
    if (found > 0) {
        (void)sbx_usage("unenroll: %s was not enrolled", enroll.account.name);
        return SBX_EXIT_FOUND;
    }
    if (found < 0 || find_account(&enroll, &err) || walk(&enroll, steps, &err) ||
        sbx_enrolled_remove(&enroll, &err))
        return sbx_complain(&err);
    return SBX_EXIT_OK;
}
