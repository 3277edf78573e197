#include "pam_sbx/login.h"

#include <dlfcn.h>
#include <errno.h>
#include <security/pam_ext.h>
#include <security/pam_modutil.h>
#include <string.h>
#include <syslog.h>

#include "pam_sbx/process.h"

static const char *item(const pam_handle_t *pamh, int which)
{
    const void *value = NULL;
    if (pam_get_item(pamh, which, &value) != PAM_SUCCESS || !value)
        return "";
    return value;
}

static bool is_listed(const char *const *list, const char *word)
{
    for (; *list; list++)
        if (!strcmp(*list, word))
            return true;
    return false;
}

/* --- who is confined --------------------------------------------------------------------------- */
static int uid_of(void *data, const char *name, uid_t *uid)
{
    const struct passwd *entry = pam_modutil_getpwnam(data, name);
    if (entry) {
        *uid = entry->pw_uid;
        return 0;
    }
    /* getpwnam_r(3): these, too, mean that there is none. */
    return errno == 0 || errno == ENOENT || errno == ESRCH || errno == EBADF || errno == EPERM ? 1
                                                                                               : -1;
}

static int in_group(void *data, uid_t uid, const char *group)
{
    const struct passwd *entry = pam_modutil_getpwuid(data, uid);
    if (!entry)
        return -1;
    return pam_modutil_user_in_group_nam_nam(data, entry->pw_name, group);
}

/* The files have an error: where the last policy without one asks for that, it goes on. */
static int read_last_good(struct sbx_login *login, const struct sbx_err *why)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *kept = NULL;
    if (login->uid == 0 || sbx_config_new(&kept, &err))
        return -1;
    if (sbx_lastgood_read(&login->paths, login->uid, kept, &err)) {
        sbx_config_free(kept);
        return -1;
    }
    sbx_config_free(login->config);
    login->config = kept;
    login->is_last_good = true;
    pam_syslog(login->pamh, LOG_ERR,
               "the last good policy is in force for %s, today's has an error: %s", login->account,
               why->message);
    return 0;
}

/* Only [sandbox] and [accounts] are asked for here; all else is the warden's. */
static int read_policy(struct sbx_login *login, struct sbx_err *err)
{
    struct sbx_err why = SBX_ERR_INIT;
    if (sbx_config_new(&login->config, err))
        return -1;
    if (!sbx_config_read_managed(login->config, login->paths.root, NULL, NULL, NULL, &why) ||
        !read_last_good(login, &why))
        return 0;
    if (err)
        *err = why;
    return -1;
}

/* What is kept of the days when policy confined the account must not confine it again. */
static enum sbx_standing let_go(const struct sbx_login *login)
{
    struct sbx_err err = SBX_ERR_INIT;
    if (!login->is_last_good && sbx_lastgood_drop(&login->paths, login->uid, &err))
        pam_syslog(login->pamh, LOG_WARNING, "%s is not confined: %s", login->account, err.message);
    return SBX_STANDING_OTHER;
}

static int take_settings(struct sbx_login *login, struct sbx_err *err)
{
    for (const char *const *set = login->args.setting; *set; set++)
        if (sbx_config_set(login->config, *set, "PAM line", err))
            return -1;
    return 0;
}

/* `self` is any address in this module: programs of a build tree lie beside it. */
static int find_paths(struct sbx_login *login, struct sbx_err *err)
{
    Dl_info self = {.dli_fname = NULL};
    if (!dladdr((const void *)(uintptr_t)sbx_login_find, &self))
        self.dli_fname = NULL;
    return sbx_paths_init(&login->paths, login->args.root, self.dli_fname, err);
}

static bool shell_is_sbxsh(const struct sbx_login *login)
{
    const char *slash = strrchr(login->shell, '/');
    return !strcmp(slash ? slash + 1 : login->shell, "sbxsh");
}

/* Nobody but accounts that were made to be confined suffers from a policy that cannot be read. */
static enum sbx_standing standing_in_doubt(const struct sbx_login *login, bool is_named)
{
    if (login->uid == 0)
        return SBX_STANDING_OTHER;
    return is_named || shell_is_sbxsh(login) ? SBX_STANDING_UNKNOWN : SBX_STANDING_OTHER;
}

void sbx_login_refresh(struct sbx_login *login)
{
    login->account = item(login->pamh, PAM_USER);
    login->service = item(login->pamh, PAM_SERVICE);
    login->tty = item(login->pamh, PAM_TTY);
    login->rhost = item(login->pamh, PAM_RHOST);
}

enum sbx_standing sbx_login_find(struct sbx_login *login, pam_handle_t *pamh, int flags, int argc,
                                 const char **argv, struct sbx_err *err)
{
    *login = (struct sbx_login){.pamh = pamh, .flags = flags};
    sbx_login_refresh(login);
    const struct passwd *entry = pam_modutil_getpwnam(pamh, login->account);
    if (!entry) /* no such account: the program itself has nobody to become */
        return SBX_STANDING_OTHER;
    login->uid = entry->pw_uid;
    login->shell = entry->pw_shell ? entry->pw_shell : "";

    /* A PAM line that is off stops only those whom policy confines; where policy cannot be found or
     * read, those whose shell says so. */
    int line = sbx_pam_args_parse(&login->args, argc, argv, err);
    if ((login->args.has_root && !login->args.root) || find_paths(login, line ? NULL : err) ||
        read_policy(login, line ? NULL : err))
        return standing_in_doubt(login, false);
    line = line || take_settings(login, err);
    const struct sbx_names names = {.uid_of = uid_of, .in_group = in_group, .data = pamh};
    struct sbx_err why = SBX_ERR_INIT;
    bool is_confined = false;
    int listing = sbx_config_confines(login->config, login->uid, &names, &is_confined, &why);
    if (login->uid == 0) {
        if (listing && why.code == SBX_E_POLICY)
            pam_syslog(pamh, LOG_WARNING, "root is never confined: %s", why.message);
        return SBX_STANDING_OTHER;
    }
    if (!listing && !line)
        return is_confined ? SBX_STANDING_OURS : let_go(login);
    if (!line)
        *err = why;
    return standing_in_doubt(login, is_confined);
}

void sbx_login_release(struct sbx_login *login)
{
    sbx_config_free(login->config);
    login->config = NULL;
}

/* --- what the service does --------------------------------------------------------------------- */
/* What a program that asks for a session is known to do. Others: start something of their own
 * choice for somebody who logs in through them. */
static const struct {
    const char *service;
    bool is_switch; /* acts for somebody who has logged in before */
    bool is_su;     /* starts the account's shell unless told otherwise */
    bool starts_shell;
} services[] = {
    {"su",        true,  true,  true },
    {"su-l",      true,  true,  true },
    {"runuser",   true,  true,  true },
    {"runuser-l", true,  true,  true },
    {"sudo",      true,  false, false},
    {"sudo-i",    true,  false, true },
    {"login",     false, false, true },
};

static size_t service_row(const struct sbx_login *login)
{
    size_t i = 0;
    while (i < sizeof(services) / sizeof(*services) && strcmp(services[i].service, login->service))
        i++;
    return i;
}

bool sbx_login_is_switch(const struct sbx_login *login)
{
    size_t row = service_row(login);
    return row < sizeof(services) / sizeof(*services) && services[row].is_switch;
}

static bool starts_own_shell(const struct sbx_login *login)
{
    size_t row = service_row(login);
    return row < sizeof(services) / sizeof(*services) && services[row].starts_shell &&
           shell_is_sbxsh(login) && !(services[row].is_su && sbx_process_su_picks_shell());
}

bool sbx_login_starts_sbxsh(const struct sbx_login *login)
{
    return shell_is_sbxsh(login) && (sbx_process_is_sshd() || starts_own_shell(login));
}

int sbx_login_check_terminal(const struct sbx_login *login, struct sbx_err *err)
{
    if (starts_own_shell(login) || !sbx_process_has_terminal())
        return 0;
    return sbx_fail(err, SBX_E_DENIED, 0,
                    "%s would give a terminal to %s's programs without sbxsh in between; use "
                    "'su - %s' (shell: sbxsh), or run it without a terminal (setsid -w, and "
                    "standard input, output and error elsewhere)",
                    login->service, login->account, login->account);
}

int sbx_login_check(const struct sbx_login *login, enum sbx_refusal *refusal, struct sbx_err *err)
{
    *refusal = SBX_REFUSE_SERVICE;
    if (!is_listed(login->args.service, login->service) &&
        !sbx_config_serves(login->config, login->service))
        return sbx_fail(err, SBX_E_DENIED, 0,
                        "service %s is not for confined accounts (listed in [accounts] service, or "
                        "by service= on the PAM line)",
                        login->service);
    *refusal = SBX_REFUSE_UNAVAILABLE;
    /* Jails are bound to uid and name: a second name of the uid would get the jail of the first. */
    const struct passwd *entry = pam_modutil_getpwuid(login->pamh, login->uid);
    if (!entry || strcmp(entry->pw_name, login->account))
        return sbx_fail(err, SBX_E_DENIED, 0, "uid %u has another name than the one logging in",
                        login->uid);
    return sbx_process_check_threads(err);
}
