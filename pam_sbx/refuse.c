/* How a login is refused: three readers, three texts. The one at the terminal may be the account,
 * and gets a fixed sentence; why goes to the administrator's log and to the record of events. */
#include <security/pam_ext.h>
#include <security/pam_modutil.h>
#include <syslog.h>
#include <unistd.h>

#include "pam_sbx/login.h"
#include "pam_sbx/process.h"
#include "policy/cleanup.h"
#include "warden/event.h"

static const char *const sentences[] = {
    [SBX_REFUSE_UNAVAILABLE] =
        "sbx: login refused: the sandbox of this account is not available; the reason is in the "
        "system log of this machine, for its administrator (sbxctl events)",
    [SBX_REFUSE_SERVICE] =
        "sbx: login refused: this account may not be used this way; the reason is in the system "
        "log, an administrator lists allowed services in /etc/sbx/policy.ini ([accounts] service)",
    [SBX_REFUSE_TERMINAL] =
        "sbx: login refused: a command of this account must not have your terminal; the reason is "
        "in the system log; use su - ACCOUNT, whose shell relays, or run it without a terminal",
};

struct sbx_log *sbx_login_open_log(const struct sbx_login *login)
{
    struct sbx_err err = SBX_ERR_INIT;
    if (!login->paths.programs[0]) /* the PAM line is off: unknown where */
        return NULL;
    _cleanup_fd_ int dir = sbx_paths_open(&login->paths, SBX_LOG_DIR, 0750, &err);
    if (dir < 0)
        return NULL;
    const struct group *operators = pam_modutil_getgrnam(login->pamh, "sbx-operators");
    struct sbx_log *log = NULL;
    if (sbx_log_open(&log, dir, "host", operators ? operators->gr_gid : 0, false, &err))
        return NULL;
    sbx_log_share(log, SBX_LOG_RATE_HOST);
    return log;
}

static const char *or_none(const char *text)
{
    return text[0] ? text : NULL;
}

/* What every event of a login has. */
static struct sbx_event event_of(const struct sbx_login *login)
{
    uint32_t loginuid = sbx_process_loginuid();
    return (struct sbx_event){
        .kind = SBX_EVENT_JAIL,
        .source = SBX_SOURCE_PAM,
        .account = login->account,
        .uid = login->uid,
        .service = or_none(login->service),
        .rhost = or_none(login->rhost),
        .tty = or_none(login->tty),
        .pid = getpid(),
        .loginuid = loginuid == SBX_LOGINUID_UNSET ? -1 : (int64_t)loginuid,
    };
}

void sbx_login_record(const struct sbx_login *login, struct sbx_log *log, const char *reason)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_event event = event_of(login);
    event.verdict = "deny";
    event.action = "refuse";
    event.reason = reason;
    /* What is over the budget is counted there, and has its line in the system log all the same. */
    if (log && sbx_log_append(log, &event, NULL, &err) && err.code != SBX_E_LIMIT)
        pam_syslog(login->pamh, LOG_ERR, "the refusal is not in host.jsonl: %s", err.message);
}

int sbx_login_admit(const struct sbx_login *login, const struct sbx_unjailed_login *unjailed,
                    struct sbx_err *err)
{
    struct sbx_event event = event_of(login);
    event.verdict = "allow";
    event.action = "unjailed";
    event.rule = unjailed->rule;
    event.origin = unjailed->origin;
    event.reason = unjailed->why;
    struct sbx_log *log = sbx_login_open_log(login);
    int failed = log ? sbx_log_append(log, &event, NULL, err)
                     : sbx_fail(err, SBX_E_SYSTEM, 0, "the log cannot be opened");
    sbx_log_close(log);
    if (failed && err->code != SBX_E_LIMIT)
        return sbx_err_prefix(err, "cannot record a session without a jail: ");
    pam_syslog(login->pamh, LOG_WARNING, "login of %s (uid %u): %s", login->account, login->uid,
               unjailed->told);
    if (!((unsigned)login->flags & PAM_SILENT) && !sbx_login_starts_sbxsh(login))
        (void)pam_error(login->pamh, "sbx: %s", unjailed->told);
    return 0;
}

void sbx_login_tell(const struct sbx_login *login, enum sbx_refusal refusal)
{
    if (!((unsigned)login->flags & PAM_SILENT))
        (void)pam_error(login->pamh, "%s", sentences[refusal]);
}

int sbx_login_refuse(const struct sbx_login *login, enum sbx_refusal refusal,
                     const struct sbx_err *err)
{
    pam_syslog(login->pamh, LOG_ERR, "login of %s (uid %u) refused: %s", login->account, login->uid,
               err->message);
    struct sbx_log *log = sbx_login_open_log(login);
    sbx_login_record(login, log, err->message);
    sbx_log_close(log);
    sbx_login_tell(login, refusal);
    return PAM_PERM_DENIED;
}
