#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jail/platform.h"
#include "policy/cleanup.h"
#include "policy/config_file.h"
#include "warden/lower.h"
#include "warden/warden.h"

/* Keeps the first error for the login's refusal; the others are for `sbxctl policy check`. */
static int read_files(const struct sbx_warden *warden, struct sbx_config *config,
                      struct sbx_err *err)
{
    const struct sbx_params *params = &warden->params;
    const struct sbx_account *account = &warden->account;
    if (params->policy)
        return sbx_config_read_path(config, params->policy, account->name, account->group_list,
                                    NULL, err);
    return sbx_config_read_managed(config, warden->paths.root, account->name, account->group_list,
                                   NULL, err);
}

static uint64_t lower_stamp(const struct sbx_warden *warden, const struct sbx_policy *policy,
                            uint64_t stamp)
{
    _cleanup_fd_ int trusted = sbx_trust_open(&warden->paths, O_PATH);
    stamp = sbx_config_stamp_mix(stamp, "trusted", trusted);
    return sbx_lower_stamp(policy, warden->account.home, stamp);
}

/* What is read for one account, and how far it came. */
struct load {
    struct sbx_warden *warden;
    struct sbx_config *config;
    struct sbx_subject subject;
    uint64_t stamp;
    bool is_managed_good; /* what is wrong then is wrong in a file of the user or of a project */
};

/* What users and projects add. Their files are looked for where managed policy puts the workspaces. */
static int add_lower(const struct load *load, struct sbx_policy **policy, struct sbx_err *err)
{
    const struct sbx_warden *warden = load->warden;
    const struct sbx_account *account = &warden->account;
    _cleanup_fd_ int trusted = sbx_trust_open(&warden->paths, O_RDONLY);
    const struct sbx_lower_spec spec = {.home = account->home,
                                        .uid = account->uid,
                                        .gid = account->gid,
                                        .groups = account->groups,
                                        .group_count = account->group_count,
                                        .parser_uid = warden->clerk_user.uid,
                                        .parser_gid = warden->clerk_user.gid,
                                        .trusted_fd = trusted};
    return sbx_lower_add(load->config, &load->subject, &spec, NULL, policy, err);
}

static int compile_all(struct load *load, struct sbx_policy **policy, struct sbx_err *err)
{
    const struct sbx_params *params = &load->warden->params;
    _cleanup_free_ struct sbx_policy *managed = NULL;
    for (size_t i = 0; i < params->setting_count; i++)
        if (sbx_config_set(load->config, params->settings[i], "--set", err))
            return -1;
    if (sbx_policy_compile(load->config, &load->subject, &managed, err))
        return -1;
    load->is_managed_good = true;
    load->stamp = lower_stamp(load->warden, managed, load->stamp); /* before they are read */
    if (add_lower(load, &managed, err))
        return -1;
    *policy = sbx_steal_ptr(&managed);
    return 0;
}

/* Managed policy has an error: where the last one without it asks for that, it goes on. *err stays what
 * it is unless that succeeds. */
static int fall_back(struct load *load, struct sbx_policy **policy, struct sbx_err *err)
{
    struct sbx_warden *warden = load->warden;
    struct sbx_err why = SBX_ERR_INIT;
    struct sbx_config *kept = NULL;
    if (warden->params.policy || load->is_managed_good || sbx_config_new(&kept, &why))
        return -1;
    if (sbx_lastgood_read(&warden->paths, warden->account.uid, kept, &why)) {
        sbx_config_free(kept);
        return -1;
    }
    sbx_config_free(load->config);
    load->config = kept;
    if (compile_all(load, policy, &why))
        return -1;
    (void)snprintf(warden->last_good, sizeof(warden->last_good),
                   "the last good policy is in force, since today's has an error: %s",
                   err->message);
    return 0;
}

static int load_policy(struct load *load, struct sbx_policy **policy, struct sbx_err *err)
{
    struct sbx_warden *warden = load->warden;
    sbx_config_keep(load->config);
    int status = read_files(warden, load->config, err);
    load->stamp = sbx_config_stamp(load->config);
    if (!status)
        status = compile_all(load, policy, err);
    if (status)
        return fall_back(load, policy, err);
    if (warden->params.policy)
        return 0;
    /* A policy that could not be kept counts all the same, and is told. */
    struct sbx_err why = SBX_ERR_INIT;
    if (sbx_lastgood_keep(&warden->paths, warden->account.uid, load->config, &why))
        (void)snprintf(warden->last_good, sizeof(warden->last_good), "%s", why.message);
    return 0;
}

int sbx_rules_load(struct sbx_warden *warden, struct sbx_policy **policy, uint64_t *stamp,
                   struct sbx_err *err)
{
    struct load load = {
        .warden = warden,
        .subject = {.account = warden->account.name,
                    .home = warden->account.home,
                    .workspace = warden->params.workspace,
                    .uid = warden->account.uid,
                    .gid = warden->account.gid}
    };
    warden->last_good[0] = '\0';
    if (sbx_config_new(&load.config, err))
        return -1;
    int status = load_policy(&load, policy, err);
    *stamp = load.stamp;
    sbx_config_free(load.config);
    return status;
}

void sbx_rules_tell(struct sbx_warden *warden)
{
    if (!warden->last_good[0])
        return;
    struct sbx_event event = {.kind = SBX_EVENT_POLICY,
                              .action = "last-good",
                              .reason = warden->last_good,
                              .loginuid = -1};
    sbx_warden_record(warden, &event);
}

uint64_t sbx_rules_stamp(const struct sbx_warden *warden)
{
    uint64_t stamp =
        sbx_config_stamp_now(warden->paths.root, warden->account.name, warden->account.group_list);
    return lower_stamp(warden, warden->policy, stamp);
}

static bool same_items(const struct sbx_policy *a, const struct sbx_policy *b, enum sbx_key key)
{
    uint32_t count_a, count_b;
    const struct sbx_item *items_a = sbx_policy_list(a, key, &count_a);
    const struct sbx_item *items_b = sbx_policy_list(b, key, &count_b);
    if (count_a != count_b)
        return false;
    for (uint32_t i = 0; i < count_a; i++)
        if (strcmp(sbx_policy_text(a, items_a[i].text), sbx_policy_text(b, items_b[i].text)) != 0)
            return false;
    return true;
}

static bool same_paths(const struct sbx_policy *a, const struct sbx_policy *b)
{
    uint32_t count_a, count_b;
    const struct sbx_path_rule *rules_a = sbx_policy_paths(a, &count_a);
    const struct sbx_path_rule *rules_b = sbx_policy_paths(b, &count_b);
    if (count_a != count_b)
        return false;
    for (uint32_t i = 0; i < count_a; i++)
        if (rules_a[i].kind != rules_b[i].kind || rules_a[i].flags != rules_b[i].flags ||
            strcmp(sbx_policy_text(a, rules_a[i].path), sbx_policy_text(b, rules_b[i].path)) != 0)
            return false;
    return true;
}

/* Would a jail built from b today be the jail that was built from a? */
bool sbx_rules_same_jail(const struct sbx_policy *a, const struct sbx_policy *b)
{
    for (int key = 0; key < SBX_KEY_COUNT; key++)
        if (sbx_key_table[key].flags & SBX_K_JAIL &&
            (sbx_policy_number(a, (enum sbx_key)key) != sbx_policy_number(b, (enum sbx_key)key) ||
             !same_items(a, b, (enum sbx_key)key)))
            return false;
    return same_paths(a, b) && !strcmp(sbx_policy_text(a, a->home), sbx_policy_text(b, b->home)) &&
           !strcmp(sbx_policy_text(a, a->workspace), sbx_policy_text(b, b->workspace));
}

/* --- who is confined --------------------------------------------------------------------------- */
static int uid_of(void *data, const char *name, uid_t *uid)
{
    char buffer[16384];
    struct passwd entry, *found = NULL;
    (void)data;
    if (getpwnam_r(name, &entry, buffer, sizeof(buffer), &found))
        return -1;
    if (found)
        *uid = entry.pw_uid;
    return found ? 0 : 1;
}

static int in_group(void *data, uid_t uid, const char *group)
{
    const struct sbx_account *account = data;
    for (size_t i = 0; uid == account->uid && account->group_list[i]; i++)
        if (!strcmp(account->group_list[i], group))
            return 1;
    return 0;
}

/* Does managed policy let the account in without a jail? Its own files count too. */
static bool is_exempt(const struct sbx_warden *warden)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config = NULL;
    struct sbx_policy *policy = NULL;
    struct sbx_exempt exempt;
    const struct sbx_subject subject = {.account = warden->account.name,
                                        .home = warden->account.home,
                                        .uid = warden->account.uid,
                                        .gid = warden->account.gid};
    char detail[128];
    const struct sbx_machine machine = {
        .platform = sbx_platform_find(warden->paths.root, detail, sizeof(detail))};
    bool answer = !sbx_config_new(&config, &err) &&
                  !sbx_config_read_managed(config, warden->paths.root, warden->account.name,
                                           warden->account.group_list, NULL, &err) &&
                  !sbx_policy_compile(config, &subject, &policy, &err) &&
                  sbx_exempt_find(policy, &machine, &exempt);
    sbx_config_free(config);
    free(policy);
    return answer;
}

/* Does managed policy, as it is now, confine the account? A jail may be there without that: sbxctl run
 * takes any account, and policy may have let one go. Where policy cannot be read, those with our
 * shell count, as they do at a login. */
bool sbx_rules_confine(const struct sbx_warden *warden)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config = NULL;
    const struct sbx_names names = {
        .uid_of = uid_of, .in_group = in_group, .data = (void *)(uintptr_t)&warden->account};
    const char *slash = strrchr(warden->account.shell, '/');
    bool is_confined = slash && !strcmp(slash + 1, "sbxsh");
    if (sbx_config_new(&config, &err))
        return is_confined;
    if (!sbx_config_read_managed(config, warden->paths.root, NULL, NULL, NULL, &err)) {
        bool answer = false;
        if (!sbx_config_confines(config, warden->account.uid, &names, &answer, &err))
            is_confined = answer;
    }
    sbx_config_free(config);
    return is_confined && !is_exempt(warden);
}
