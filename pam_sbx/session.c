#include "pam_sbx/session.h"

#include <limits.h>
#include <linux/close_range.h>
#include <security/pam_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <syslog.h>
#include <unistd.h>

#include "jail/sys.h"
#include "pam_sbx/process.h"
#include "policy/cleanup.h"
#include "warden/event.h"

#define DATA_NAME "sbx_session"

struct session {
    /* Wiped by the kernel in every forked child: tells the child from the monitor. Never by pid: a
     * pid of the jail may be one of the host too. */
    unsigned char *page;
    size_t page_bytes;
    int session_fd;
    struct sbx_join join;
    struct sbx_login login;             /* for what has to be said later; its config is not kept */
    struct sbx_unjailed_login unjailed; /* where is_unjailed */
    char account[256];
    bool is_unjailed; /* a managed file lets it be without a jail */
    bool enters_in_child;
    bool is_entered;
    bool is_closed;
};

static bool is_forked(const struct session *session)
{
    return session->page[0] == 0;
}

/* In the process that opened the session alone: a child's copy leaves it to that one. */
static void say_goodbye(struct session *session)
{
    sbx_client_bye(&session->session_fd);
    if (session->is_unjailed)
        sbx_client_unjailed_end(&session->login.paths, session->login.uid);
    session->is_unjailed = false;
}

static void session_free(struct session *session)
{
    if (!session)
        return;
    /* A child's copy closes, and leaves it to the process that opened the session to end it. */
    if (session->page && !is_forked(session))
        say_goodbye(session);
    sbx_cleanup_fd(&session->session_fd);
    sbx_join_release(&session->join);
    if (session->page)
        (void)munmap(session->page, session->page_bytes);
    free(session);
}

static void session_cleanup(pam_handle_t *pamh, void *data, int status)
{
    (void)pamh;
    (void)status;
    session_free(data);
}

static void copy_name(char *out, size_t size, const char *text)
{
    (void)snprintf(out, size, "%s", text);
}

static struct session *session_new(const struct sbx_login *login, struct sbx_err *err)
{
    struct session *session = calloc(1, sizeof(*session));
    if (!session) {
        (void)sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the session");
        return NULL;
    }
    session->session_fd = -1;
    session->join = SBX_JOIN_INIT;
    session->login = *login;
    session->login.config = NULL;
    copy_name(session->account, sizeof(session->account), login->account);
    session->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *page =
        mmap(NULL, session->page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && !madvise(page, session->page_bytes, MADV_WIPEONFORK)) {
        session->page = page;
        session->page[0] = 1;
        return session;
    }
    (void)sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a page that forks wipe");
    if (page != MAP_FAILED)
        (void)munmap(page, session->page_bytes);
    free(session);
    return NULL;
}

static int join_jail(struct session *session, struct sbx_err *err)
{
    const struct sbx_login *login = &session->login;
    char jail[SBX_JAIL_ID_BYTES];
    (void)snprintf(jail, sizeof(jail), "%u", login->uid);
    const char *programs = login->paths.programs;
    const struct sbx_launch launch = {
        .account = login->account,
        .jail = jail,
        .settings = login->args.setting,
        /* Those of a build tree, sbxsh above all, would not be in the jail's view otherwise. */
        .programs_bind = strcmp(programs, SBX_LIBEXECDIR) ? programs : NULL,
        .unjailed = &session->unjailed,
    };
    struct sbx_join_request request = {.uid = login->uid, .loginuid = sbx_process_loginuid()};
    copy_name(request.service, sizeof(request.service), login->service);
    copy_name(request.tty, sizeof(request.tty), login->tty);
    copy_name(request.rhost, sizeof(request.rhost), login->rhost);
    return sbx_client_join(&login->paths, &launch, &request, &session->join, &session->session_fd,
                           err);
}

/* What su, cron and their kin hold open, and what they inherited themselves, stays with them: a folder
 * of the host's among it would be a way out for the program that they execute (CVE-2024-21626 class).
 * sshd closes what it has before it executes anything. */
static int leave_descriptors(const struct session *session, struct sbx_err *err)
{
    if (session->enters_in_child ||
        !sbx_sys_close_range(STDERR_FILENO + 1, UINT_MAX, CLOSE_RANGE_CLOEXEC))
        return 0;
    return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot keep descriptors from the session");
}

/* Moves this process into the jail. 0, or -1 with nothing but cgroup, limits and no_new_privs
 * changed; past that point the process ends. The log is opened before: from inside, the host's
 * files and its syslog socket are out of reach. */
static int enter(struct session *session, bool ends_always, struct sbx_err *err)
{
    int entered = 0;
    struct sbx_log *log = sbx_login_open_log(&session->login);
    int result = sbx_join_enter(&session->join, &entered, err);
    if (!result)
        result = leave_descriptors(session, err);
    if (result && (entered || ends_always)) {
        sbx_login_record(&session->login, log, err->message);
        pam_syslog(session->login.pamh, LOG_ERR, "login of %s (uid %u) refused: %s",
                   session->login.account, session->login.uid, err->message);
        if (!session->enters_in_child)
            sbx_login_tell(&session->login, SBX_REFUSE_UNAVAILABLE);
        _exit(SBX_EXIT_NO_JAIL);
    }
    sbx_log_close(log);
    if (result)
        return -1;
    session->is_entered = true;
    sbx_join_release(&session->join); /* descriptors of root's that the jail has no use for */
    return 0;
}

/* No jail, and a managed file lets that be: the session begins like any other, with a record that
 * sbxsh finds. */
static int go_unjailed(struct session *session, struct sbx_err *err)
{
    session->is_unjailed = true;
    session->enters_in_child = false;
    return sbx_join_remove_mark(err) || sbx_login_admit(&session->login, &session->unjailed, err)
               ? -1
               : 0;
}

static int prepare_jail(struct session *session, struct sbx_err *err)
{
    if (join_jail(session, err))
        return err->code == SBX_E_UNJAILED ? go_unjailed(session, err) : -1;
    return session->enters_in_child ? 0 : enter(session, false, err);
}

static bool joins_in_child(const struct sbx_login *login)
{
    switch (login->args.join) {
    case SBX_JOIN_CHILD:
        return true;
    case SBX_JOIN_SESSION:
        return false;
    default:
        return sbx_process_is_sshd();
    }
}

static int prepare(struct session *session, bool has_auth_line, enum sbx_refusal *refusal,
                   struct sbx_err *err)
{
    const struct sbx_login *login = &session->login;
    session->enters_in_child = joins_in_child(login);
    if (!session->enters_in_child) {
        *refusal = SBX_REFUSE_TERMINAL;
        if (sbx_login_check_terminal(login, err))
            return -1;
    }
    *refusal = SBX_REFUSE_UNAVAILABLE;
    if (session->enters_in_child && !has_auth_line)
        return sbx_fail(err, SBX_E_DENIED, 0,
                        "pam_sbx is missing from the auth stack of %s: the session could not enter",
                        login->service);
    return sbx_process_settle_loginuid(login->uid, sbx_login_is_switch(login), err) ||
                   prepare_jail(session, err)
               ? -1
               : 0;
}

int sbx_session_open(const struct sbx_login *login, bool has_auth_line)
{
    struct sbx_err err = SBX_ERR_INIT;
    enum sbx_refusal refusal = SBX_REFUSE_UNAVAILABLE;
    struct session *session = session_new(login, &err);
    if (!session || prepare(session, has_auth_line, &refusal, &err)) {
        session_free(session);
        return sbx_login_refuse(login, refusal, &err);
    }
    /* From here on the handle owns it. A process that has entered and cannot keep its session must
     * not go on: it would serve the account after the warden counted the session as ended. */
    int stored = pam_set_data(login->pamh, DATA_NAME, session, session_cleanup);
    if (stored == PAM_SUCCESS)
        return PAM_SUCCESS;
    bool is_entered = session->is_entered;
    (void)sbx_fail(&err, SBX_E_MEMORY, 0, "PAM cannot keep the session");
    session_free(session);
    int result = sbx_login_refuse(login, SBX_REFUSE_UNAVAILABLE, &err);
    if (is_entered)
        _exit(SBX_EXIT_NO_JAIL);
    return result;
}

static struct session *session_of(pam_handle_t *pamh)
{
    const void *data = NULL;
    if (pam_get_data(pamh, DATA_NAME, &data) != PAM_SUCCESS)
        return NULL;
    /* Ours, and stored as a plain pointer: PAM only lends it as const. */
    return (struct session *)(uintptr_t)data;
}

/* By name: inside a jail nobody else could be looked up. */
bool sbx_session_is_open(pam_handle_t *pamh)
{
    struct session *session = session_of(pamh);
    const void *account = NULL;
    return session && !session->is_closed &&
           pam_get_item(pamh, PAM_USER, &account) == PAM_SUCCESS && account &&
           !strcmp(account, session->account);
}

int sbx_session_setcred(pam_handle_t *pamh)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct session *session = session_of(pamh);
    if (!session || !session->enters_in_child || session->is_entered || !is_forked(session))
        return PAM_IGNORE;
    sbx_login_refresh(&session->login);
    (void)enter(session, true, &err); /* returns only from inside */
    /* The monitor's copy is the session. This one would outlive it, in a process of the account's. */
    sbx_cleanup_fd(&session->session_fd);
    session->session_fd = -1;
    return PAM_SUCCESS;
}

int sbx_session_close(pam_handle_t *pamh)
{
    struct session *session = session_of(pamh);
    if (!session)
        return PAM_IGNORE;
    session->is_closed = true;
    if (!is_forked(session))
        say_goodbye(session);
    return PAM_SUCCESS;
}
