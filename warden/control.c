/* The control socket: sessions join here, operators ask and end. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "policy/cleanup.h"
#include "warden/client_parts.h"
#include "warden/warden.h"

bool sbx_control_accept(struct sbx_warden *warden)
{
    _cleanup_fd_ int fd = accept4(warden->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct ucred peer;
    socklen_t size = sizeof(peer);
    if (fd < 0) /* one that gave up does not stand for those behind it */
        return errno == ECONNABORTED || errno == EINTR;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
        return true;
    for (unsigned i = 0; i < SBX_MAX_SESSIONS; i++) {
        struct sbx_session *session = &warden->session[i];
        if (i == warden->session_top)
            warden->session_top++;
        else if (session->fd >= 0)
            continue;
        *session =
            (struct sbx_session){.fd = sbx_steal_fd(&fd), .peer = peer.pid, .peer_uid = peer.uid};
        return true;
    }
    return true; /* full: the connection closes, and whoever asked says so */
}

void sbx_session_close(struct sbx_warden *warden, struct sbx_session *session)
{
    if (session->fd < 0)
        return;
    (void)close(session->fd);
    session->fd = -1;
    if (!session->has_joined)
        return;
    warden->session_count--;
    struct sbx_event event = {.kind = SBX_EVENT_JAIL,
                              .action = "leave",
                              .session = session->number,
                              .service = session->service,
                              .loginuid = -1};
    sbx_warden_record(warden, &event);
    if (warden->params.is_run)
        sbx_warden_end(warden, "the program ended");
}

static void answer(const struct sbx_session *session, struct sbx_join_reply *reply,
                   enum sbx_message message, const int *fds, size_t fd_count)
{
    reply->header = sbx_header_of(message, sizeof(*reply));
    struct iovec data = {.iov_base = reply, .iov_len = sizeof(*reply)};
    union {
        char space[CMSG_SPACE((2 + SBX_JOIN_MAX_CGROUPS) * sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    struct msghdr packet = {.msg_iov = &data, .msg_iovlen = 1};
    if (fd_count) {
        packet.msg_control = control.space;
        packet.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
        struct cmsghdr *head = &control.align;
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
        memcpy(CMSG_DATA(head), fds, fd_count * sizeof(int));
    }
    (void)sendmsg(session->fd, &packet, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void refuse(struct sbx_warden *warden, const struct sbx_session *session,
                   enum sbx_message message, const char *why)
{
    struct sbx_join_reply reply = {0};
    (void)snprintf(reply.message, sizeof(reply.message), "%s", why);
    (void)snprintf(reply.jail, sizeof(reply.jail), "%s", warden->jail_id);
    answer(session, &reply, message, NULL, 0);
}

/* The jail takes no more sessions: it leaves its id to a successor and ends after its grace. */
void sbx_warden_retire(struct sbx_warden *warden, const char *why)
{
    if (warden->retire_at_ms)
        return;
    char name[64];
    struct sbx_err err;
    (void)snprintf(name, sizeof(name), "%s~%d", warden->jail_id, getpid());
    if (sbx_files_rename(warden, name, &err))
        sbx_warden_tell(warden, "note", err.message);
    else
        (void)snprintf(warden->run_path, sizeof(warden->run_path), "%s%s/%s", warden->paths.root,
                       SBX_JAILS_DIR, name);
    int64_t grace = sbx_policy_number(warden->policy, SBX_KEY_JAIL_GRACE);
    warden->retire_at_ms = sbx_now_ms() + grace * 1000 + 1;
    sbx_warden_tell(warden, "retire", why);
}

/* Is today's policy still the one this jail was built from? 0 yes (or adopted), 1 retired, -1 no
 * policy can be read, and nobody joins. */
static int follow_policy(struct sbx_warden *warden, struct sbx_err *err)
{
    if (warden->params.policy || warden->params.is_run)
        return 0; /* given for this one run */
    if (sbx_rules_stamp(warden) == warden->stamp)
        return 0;
    struct sbx_policy *fresh = NULL;
    uint64_t stamp;
    if (sbx_rules_load(warden, &fresh, &stamp, err)) {
        sbx_warden_tell(warden, "refuse", err->message);
        return -1;
    }
    struct sbx_exempt exempt;
    bool is_exempt = sbx_exempt_now(warden, fresh, NULL, &exempt);
    if (is_exempt || !sbx_rules_same_jail(warden->policy, fresh)) {
        free(fresh);
        sbx_warden_retire(warden, is_exempt ? "policy lets the account in without a jail"
                                            : "the policy of the view changed");
        return 1;
    }
    free(warden->policy);
    warden->policy = fresh;
    warden->stamp = stamp;
    if (sbx_files_publish_policy(warden, err) || sbx_clerk_start(warden, err))
        return -1;
    struct sbx_event event = {.kind = SBX_EVENT_POLICY, .action = "load", .loginuid = -1};
    sbx_warden_record(warden, &event);
    sbx_rules_tell(warden);
    return 0;
}

static void add_limit(struct sbx_join_reply *reply, uint32_t resource, int64_t value)
{
    if (value >= 0 && reply->rlimit_count < SBX_JOIN_MAX_RLIMITS)
        reply->rlimit[reply->rlimit_count++] =
            (struct sbx_rlimit){.resource = resource, .value = (uint64_t)value};
}

static void fill_reply(struct sbx_warden *warden, struct sbx_join_reply *reply, int *fds,
                       size_t *fd_count)
{
    const struct sbx_policy *policy = warden->policy;
    (void)snprintf(reply->jail, sizeof(reply->jail), "%s", warden->jail_id);
    reply->filter_count = warden->filter_count;
    /* 1, not 0: 0 does not stop a core pattern that pipes to a program of the host's. */
    add_limit(reply, RLIMIT_CORE, 1);
    int64_t files = sbx_policy_number(policy, SBX_KEY_LIMITS_OPEN_FILES);
    int64_t size = sbx_policy_number(policy, SBX_KEY_LIMITS_FILE_SIZE);
    add_limit(reply, RLIMIT_NOFILE, files > 0 ? files : -1);
    add_limit(reply, RLIMIT_FSIZE, size > 0 ? size : -1);
    fds[(*fd_count)++] = warden->jail.init_pidfd;
    fds[(*fd_count)++] = warden->filter_fd;
    for (unsigned i = 0; i < warden->cgroup.count; i++)
        fds[(*fd_count)++] = warden->cgroup.group[i].procs_fd;
    reply->cgroup_count = warden->cgroup.count;
}

/* What stands on the PAM line of this login's service must be what the jail was built with: those who
 * are in it already keep what they were promised, and this one gets a jail of its own settings. */
static bool has_same_settings(const struct sbx_warden *warden,
                              const struct sbx_join_request *request)
{
    char own[SBX_SETTINGS_BYTES];
    struct sbx_err err;
    return !sbx_settings_digest(warden->params.settings, own, &err) &&
           !memcmp(own, request->settings, sizeof(own));
}

static void join(struct sbx_warden *warden, struct sbx_session *session,
                 const struct sbx_join_request *request)
{
    struct sbx_err err = SBX_ERR_INIT;
    if (session->peer_uid != 0 || session->has_joined || request->uid != warden->account.uid) {
        refuse(warden, session, SBX_MSG_REFUSED,
               "only root joins, once, for the jail's own account");
        return;
    }
    if (!warden->is_ending && !warden->retire_at_ms && !sbx_account_is_same(&warden->account))
        sbx_warden_retire(warden, "the account was changed");
    if (!warden->is_ending && !warden->retire_at_ms && !has_same_settings(warden, request))
        sbx_warden_retire(warden, "a login came whose PAM line has other settings (set:)");
    int policy = warden->is_ending || warden->retire_at_ms ? 1 : follow_policy(warden, &err);
    if (policy) {
        refuse(warden, session, policy > 0 ? SBX_MSG_RETIRED : SBX_MSG_REFUSED, err.message);
        return;
    }
    struct sbx_join_reply reply = {.session = ++warden->last_session};
    int fds[2 + SBX_JOIN_MAX_CGROUPS];
    size_t fd_count = 0;
    fill_reply(warden, &reply, fds, &fd_count);
    session->has_joined = true;
    session->number = reply.session;
    session->loginuid = request->loginuid;
    memcpy(session->service, request->service, sizeof(session->service));
    session->service[sizeof(session->service) - 1] = '\0';
    memcpy(session->tty, request->tty, sizeof(session->tty));
    session->tty[sizeof(session->tty) - 1] = '\0';
    memcpy(session->rhost, request->rhost, sizeof(session->rhost));
    session->rhost[sizeof(session->rhost) - 1] = '\0';
    warden->session_count++;
    warden->idle_since_ms = 0;
    answer(session, &reply, SBX_MSG_JOINED, fds, fd_count);
    struct sbx_event event = {
        .kind = SBX_EVENT_JAIL,
        .verdict = "allow",
        .action = "join",
        .session = session->number,
        .service = session->service,
        .tty = session->tty[0] ? session->tty : NULL,
        .rhost = session->rhost[0] ? session->rhost : NULL,
        .pid = session->peer,
        .loginuid = session->loginuid == (uint32_t)-1 ? -1 : (int64_t)session->loginuid,
    };
    sbx_warden_record(warden, &event);
}

static void tell_state(struct sbx_warden *warden, const struct sbx_session *session)
{
    int processes = sbx_cgroup_population(&warden->cgroup);
    bool counts_init = sbx_cgroup_has(&warden->cgroup, warden->jail.init_pid);
    char head[65] = "";
    struct sbx_state state = {
        .header = sbx_header_of(SBX_MSG_STATE, sizeof(state)),
        .uid = warden->account.uid,
        .sessions = warden->session_count,
        .processes = processes > 0 ? (uint32_t)processes - counts_init : 0,
        .is_retired = warden->retire_at_ms != 0,
        .started = warden->started,
        .events = sbx_log_written(warden->log),
        .dropped = sbx_log_dropped(warden->log),
        .fingerprint = warden->policy->fingerprint,
        .head_seq = sbx_log_head(warden->log, head),
        .warden_pid = getpid(),
        .init_pid = warden->jail.init_pid,
    };
    (void)snprintf(state.head, sizeof(state.head), "%s", head);
    (void)snprintf(state.jail, sizeof(state.jail), "%s", warden->jail_id);
    (void)snprintf(state.account, sizeof(state.account), "%s", warden->account.name);
    (void)send(session->fd, &state, sizeof(state), MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Who may ask for the end: root, and those the socket's group lets connect. */
static void end_on_request(struct sbx_warden *warden, struct sbx_session *session)
{
    char reason[64];
    (void)snprintf(reason, sizeof(reason), "ended on request of uid %u", session->peer_uid);
    sbx_warden_end(warden, reason);
    if (warden->killer_fd < 0)
        warden->killer_fd = fcntl(session->fd, F_DUPFD_CLOEXEC, 3);
}

void sbx_control_serve(struct sbx_warden *warden, struct sbx_session *session)
{
    union {
        struct sbx_header header;
        struct sbx_join_request join;
        char bytes[sizeof(struct sbx_join_request) + 1];
    } packet;
    ssize_t n = recv(session->fd, &packet, sizeof(packet), MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    const struct sbx_header *header = &packet.header;
    bool is_sound = n >= (ssize_t)sizeof(*header) && header->magic == SBX_PROTO_MAGIC &&
                    header->version == SBX_PROTO_VERSION && header->size == (uint32_t)n;
    if (is_sound && header->message == SBX_MSG_JOIN && n == (ssize_t)sizeof(packet.join))
        join(warden, session, &packet.join);
    else if (is_sound && n == (ssize_t)sizeof(*header) && header->message == SBX_MSG_STATUS)
        tell_state(warden, session);
    else if (is_sound && n == (ssize_t)sizeof(*header) && header->message == SBX_MSG_KILL)
        end_on_request(warden, session);
    else /* BYE, end of file, or nonsense: all end the connection */
        sbx_session_close(warden, session);
}
