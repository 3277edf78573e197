/* The asking side of the control socket: joining a jail, starting it where need be, questions. */
#include "warden/client.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "warden/client_parts.h"

#define EXCHANGE_MS 10000 /* JOIN, STATUS: the warden answers from memory */
#define LAUNCH_MS   30000
#define LOCK_MS     45000 /* somebody else's launch, and a little more */
#define KILL_MS     30000

_Static_assert(SBX_JOIN_MAX_CGROUPS == SBX_JOIN_CGROUPS, "protocol and join disagree");
_Static_assert(SBX_JOIN_MAX_RLIMITS == SBX_JOIN_RLIMITS, "protocol and join disagree");

/* --- joining ----------------------------------------------------------------------------------- */
static int read_filter(int fd, unsigned count, struct sbx_join *join, struct sbx_err *err)
{
    struct stat st;
    size_t size = count * sizeof(struct sock_filter);
    if (fstat(fd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot look at the filter");
    if (!count || count > BPF_MAXINSNS || st.st_size != (off_t)size)
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "the warden sent a filter of a wrong size");
    _cleanup_free_ struct sock_filter *code = malloc(size);
    if (!code)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the filter");
    if (pread(fd, code, size, 0) != (ssize_t)size)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the filter");
    join->filter = sbx_steal_ptr(&code);
    join->filter_count = (unsigned short)count;
    return 0;
}

static int check_joined(const struct sbx_answer *answer, const char *jail, struct sbx_err *err)
{
    const struct sbx_join_reply *reply = &answer->packet.join;
    if (!reply->cgroup_count || reply->cgroup_count > SBX_JOIN_MAX_CGROUPS ||
        reply->rlimit_count > SBX_JOIN_MAX_RLIMITS)
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "the warden's answer is out of bounds");
    if (answer->fd_count != 2 + reply->cgroup_count)
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "the warden sent %u descriptors instead of %u",
                        answer->fd_count, 2 + reply->cgroup_count);
    for (uint32_t i = 0; i < reply->rlimit_count; i++)
        if (reply->rlimit[i].resource >= RLIM_NLIMITS)
            return sbx_fail(err, SBX_E_PROTOCOL, 0, "the warden sent an unknown limit");
    /* Also tells a pidfd from another descriptor. */
    if (syscall(SYS_pidfd_send_signal, answer->fd[0], 0, NULL, 0))
        return sbx_fail(err, SBX_E_GONE, errno, "the init of jail %s does not live", jail);
    return 0;
}

static int take_joined(struct sbx_answer *answer, const char *jail, struct sbx_join *join,
                       struct sbx_err *err)
{
    const struct sbx_join_reply *reply = &answer->packet.join;
    if (check_joined(answer, jail, err) ||
        read_filter(answer->fd[1], reply->filter_count, join, err))
        return -1;
    for (uint32_t i = 0; i < reply->rlimit_count; i++) {
        join->rlimit[i].resource = (int)reply->rlimit[i].resource;
        join->rlimit[i].value = reply->rlimit[i].value;
    }
    join->rlimit_count = reply->rlimit_count;
    join->init_pidfd = sbx_steal_fd(&answer->fd[0]);
    for (uint32_t i = 0; i < reply->cgroup_count; i++)
        join->procs_fd[i] = sbx_steal_fd(&answer->fd[2 + i]);
    join->procs_count = reply->cgroup_count;
    return 0;
}

static int try_join(int jails_fd, const char *jail, const struct sbx_join_request *request,
                    struct sbx_join *join, int *session_fd, struct sbx_err *err)
{
    const struct sbx_deadline deadline = sbx_deadline_in(EXCHANGE_MS);
    _cleanup_answer_ struct sbx_answer answer = {.size = 0};
    _cleanup_fd_ int fd = sbx_connect_jail(jails_fd, jail, &deadline, err);
    if (fd < 0 || sbx_exchange(fd, request, sizeof(*request), &answer, &deadline, err))
        return -1;
    struct sbx_join_reply *reply = &answer.packet.join;
    reply->message[sizeof(reply->message) - 1] = '\0';
    switch (reply->header.message) {
    case SBX_MSG_JOINED:
        if (take_joined(&answer, jail, join, err))
            return -1;
        *session_fd = sbx_steal_fd(&fd);
        return 0;
    case SBX_MSG_RETIRED:
        return sbx_fail(err, SBX_E_GONE, 0, "jail %s takes no more sessions", jail);
    case SBX_MSG_REFUSED:
        return sbx_fail(err, SBX_E_DENIED, 0, "jail %s refused: %s", jail, reply->message);
    default:
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "the warden answered another question");
    }
}

/* --- starting it ------------------------------------------------------------------------------- */
struct target { /* what all steps of one join speak of */
    const struct sbx_paths *paths;
    const struct sbx_launch *launch;
    const struct sbx_join_request *request;
    int jails_fd;
};

static int start_and_join(const struct target *target, struct sbx_join *join, int *session_fd,
                          struct sbx_err *err)
{
    const char *jail = target->launch->jail;
    const struct sbx_deadline deadline = sbx_deadline_in(LAUNCH_MS);
    char made[SBX_JAIL_ID_BYTES] = "";
    _cleanup_fd_ int params_fd = sbx_launch_write(target->launch, target->request->uid, err);
    if (params_fd < 0)
        return -1;
    if (sbx_launcher_run(target->paths, jail, params_fd, &deadline, made, err))
        return err->code == SBX_E_UNJAILED
                   ? sbx_unjailed_admit(target->paths, target->launch, target->request->uid, err)
                   : -1;
    return try_join(target->jails_fd, made, target->request, join, session_fd, err);
}

static int join_locked(const struct target *target, struct sbx_join *join, int *session_fd,
                       struct sbx_err *err)
{
    const char *jail = target->launch->jail;
    _cleanup_lock_ struct sbx_lock lock = SBX_LOCK_INIT(target->jails_fd);
    if (sbx_lock_take(&lock, jail, LOCK_MS, err))
        return -1;
    /* Somebody may have started it meanwhile. */
    if (!try_join(target->jails_fd, jail, target->request, join, session_fd, err))
        return 0;
    if (err->code != SBX_E_GONE)
        return -1;
    return start_and_join(target, join, session_fd, err);
}

int sbx_client_join(const struct sbx_paths *paths, const struct sbx_launch *launch,
                    const struct sbx_join_request *request, struct sbx_join *join, int *session_fd,
                    struct sbx_err *err)
{
    *session_fd = -1;
    *join = SBX_JOIN_INIT;
    if (!sbx_jail_id_valid(launch->jail))
        return sbx_fail(err, SBX_E_USAGE, 0, "'%s' is no jail id", launch->jail);
    _cleanup_fd_ int jails_fd = sbx_paths_open(paths, SBX_JAILS_DIR, 0755, err);
    if (jails_fd < 0)
        return -1;
    struct sbx_join_request full = *request;
    full.header = sbx_header_of(SBX_MSG_JOIN, sizeof(full));
    if (sbx_settings_digest(launch->settings, full.settings, err))
        return -1;
    const struct target target = {paths, launch, &full, jails_fd};
    /* Its number was given to this one run: nobody else starts that jail, and a lock that is left when
     * the run is interrupted would be nobody's to take away. */
    if (launch->is_run)
        return start_and_join(&target, join, session_fd, err);
    /* A live jail is joined without the lock: nobody waits behind a slow login. */
    if (!try_join(jails_fd, launch->jail, &full, join, session_fd, err))
        return 0;
    if (err->code != SBX_E_GONE)
        return -1;
    return join_locked(&target, join, session_fd, err);
}

void sbx_client_bye(int *session_fd)
{
    const struct sbx_header bye = sbx_header_of(SBX_MSG_BYE, sizeof(bye));
    if (*session_fd < 0)
        return;
    /* A hint only: what ends the session is that the connection closes. */
    (void)!send(*session_fd, &bye, sizeof(bye), MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)close(*session_fd);
    *session_fd = -1;
}

/* --- questions --------------------------------------------------------------------------------- */
/* Every question may be refused, with the reason. */
static int ask(const struct sbx_paths *paths, const char *jail, enum sbx_message message,
               struct sbx_answer *answer, struct sbx_err *err)
{
    const struct sbx_deadline deadline =
        sbx_deadline_in(message == SBX_MSG_KILL ? KILL_MS : EXCHANGE_MS);
    const struct sbx_header request = sbx_header_of(message, sizeof(request));
    if (!sbx_jail_id_valid(jail) && !sbx_jail_name_retired(jail))
        return sbx_fail(err, SBX_E_USAGE, 0, "'%s' is no jail id", jail);
    _cleanup_fd_ int jails_fd = sbx_paths_open(paths, SBX_JAILS_DIR, 0, err);
    if (jails_fd < 0)
        return -1;
    _cleanup_fd_ int fd = sbx_connect_jail(jails_fd, jail, &deadline, err);
    if (fd < 0)
        return -1;
    if (sbx_exchange(fd, &request, sizeof(request), answer, &deadline, err))
        return -1;
    if (answer->packet.header.message != SBX_MSG_REFUSED)
        return 0;
    answer->packet.join.message[sizeof(answer->packet.join.message) - 1] = '\0';
    return sbx_fail(err, SBX_E_DENIED, 0, "jail %s refused: %s", jail, answer->packet.join.message);
}

int sbx_client_state(const struct sbx_paths *paths, const char *jail, struct sbx_state *state,
                     struct sbx_err *err)
{
    _cleanup_answer_ struct sbx_answer answer = {.size = 0};
    if (ask(paths, jail, SBX_MSG_STATUS, &answer, err))
        return -1;
    if (answer.packet.header.message != SBX_MSG_STATE)
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "the warden of jail %s gave no state", jail);
    *state = answer.packet.state;
    state->jail[sizeof(state->jail) - 1] = '\0';
    state->account[sizeof(state->account) - 1] = '\0';
    return 0;
}

int sbx_client_kill(const struct sbx_paths *paths, const char *jail, struct sbx_err *err)
{
    _cleanup_answer_ struct sbx_answer answer = {.size = 0};
    if (ask(paths, jail, SBX_MSG_KILL, &answer, err))
        return -1;
    if (answer.packet.header.message != SBX_MSG_DONE)
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "the warden of jail %s did not say it is done",
                        jail);
    return 0;
}
