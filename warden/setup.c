/* From launch parameters to a jail that can be joined, and back to nothing. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>

#include "jail/kernel.h"
#include "policy/cleanup.h"
#include "warden/warden.h"

#define FIRST_SCAN_MS     1000
#define END_TIMEOUT_MS    5000
#define SOCKET_LIST_BYTES ((size_t)1024 * 1024)

void sbx_warden_record(struct sbx_warden *warden, struct sbx_event *event)
{
    struct sbx_err err;
    event->account = warden->account.name;
    event->uid = warden->account.uid;
    /* What the file does not take is counted there, and said in the next record it takes. */
    if (warden->log && sbx_log_append(warden->log, event, NULL, &err))
        return;
}

void sbx_warden_tell(struct sbx_warden *warden, const char *action, const char *reason)
{
    struct sbx_event event = {
        .kind = SBX_EVENT_JAIL, .action = action, .reason = reason, .loginuid = -1};
    sbx_warden_record(warden, &event);
}

static gid_t find_operators(const struct sbx_policy *policy)
{
    char buffer[16384];
    struct group group, *found = NULL;
    const char *name = sbx_policy_string(policy, SBX_KEY_APPROVALS_OPERATORS);
    if (getgrnam_r(name, &group, buffer, sizeof(buffer), &found) || !found)
        return 0; /* root alone, until the package's group is there */
    return group.gr_gid;
}

static int open_log(struct sbx_warden *warden, struct sbx_err *err)
{
    _cleanup_fd_ int dir = sbx_paths_open(&warden->paths, SBX_LOG_DIR, 0750, err);
    if (dir < 0)
        return -1;
    bool use_syslog = sbx_policy_flag(warden->policy, SBX_KEY_AUDIT_SYSLOG);
    if (sbx_log_open(&warden->log, dir, warden->jail_id, warden->operators, use_syslog, err))
        return -1;
    int64_t rate = sbx_policy_number(warden->policy, SBX_KEY_AUDIT_RATE);
    if (rate > 0)
        sbx_log_set_rate(warden->log, rate < UINT32_MAX ? (uint32_t)rate : UINT32_MAX);
    return 0;
}

static int64_t positive(const struct sbx_policy *policy, enum sbx_key key)
{
    int64_t value = sbx_policy_number(policy, key);
    return value > 0 ? value : -1;
}

static int make_cgroup(struct sbx_warden *warden, struct sbx_err *err)
{
    const struct sbx_cgroup_limits limits = {
        .memory_bytes = positive(warden->policy, SBX_KEY_LIMITS_MEMORY_MAX),
        .tasks = positive(warden->policy, SBX_KEY_LIMITS_TASKS_MAX),
        .cpu_percent = positive(warden->policy, SBX_KEY_LIMITS_CPU_QUOTA),
    };
    if (sbx_cgroup_create(&warden->cgroup, warden->cgroup_name, &limits, err))
        return -1;
    warden->has_cgroup = true;
    return 0;
}

static void take_note(void *data, const char *message)
{
    sbx_warden_tell(data, "note", message);
}

static void take_guard(void *data, const struct sbx_guard *guard)
{
    sbx_watch_add(data, guard);
}

/* Folders that a session needs besides the view: where sbxsh lies, and what sbxctl run asks for. */
static void extra_folders(const struct sbx_warden *warden, char *shell_dir, size_t size,
                          const char *extra[4])
{
    unsigned n = 0;
    const char *slash = strrchr(warden->account.shell, '/');
    if (slash && slash != warden->account.shell && (size_t)(slash - warden->account.shell) < size) {
        (void)snprintf(shell_dir, size, "%.*s", (int)(slash - warden->account.shell),
                       warden->account.shell);
        extra[n++] = shell_dir;
    }
    extra[n++] = warden->paths.programs;
    if (warden->params.programs)
        extra[n++] = warden->params.programs;
    extra[n] = NULL;
}

static int build_jail(struct sbx_warden *warden, const struct sbx_plan *plan, struct sbx_err *err)
{
    char path[sizeof(warden->paths.programs) + sizeof("/sbx-init")];
    const char *hostname = sbx_policy_string(warden->policy, SBX_KEY_JAIL_HOSTNAME);
    (void)snprintf(path, sizeof(path), "%s/sbx-init", warden->paths.programs);
    _cleanup_fd_ int init_fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (init_fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open %s", path);
    const struct sbx_jail_spec spec = {
        .plan = plan,
        .policy = warden->policy,
        .account = {.uid = warden->account.uid,
                    .gid = warden->account.gid,
                    .groups = warden->account.groups,
                    .group_count = warden->account.group_count},
        .account_name = warden->account.name,
        .run_path = warden->run_path,
        .hostname = hostname && *hostname ? hostname : NULL,
        .cgroup_fd = warden->cgroup.is_v2 ? warden->cgroup.group[0].dir_fd : -1,
        .init_fd = init_fd,
        .init_filter_fd = warden->init_filter_fd,
        .init_uid = warden->init_user.uid,
        .init_gid = warden->init_user.gid,
        .note = take_note,
        .guard = take_guard,
        .data = warden,
    };
    return sbx_jail_build(&spec, &warden->jail, err);
}

static int plan_and_build(struct sbx_warden *warden, struct sbx_err *err)
{
    char shell_dir[512], session[600], passwd[600], group[600];
    const char *extra[4];
    extra_folders(warden, shell_dir, sizeof(shell_dir), extra);
    (void)snprintf(session, sizeof(session), "%s/session", warden->run_path);
    (void)snprintf(passwd, sizeof(passwd), "%s/passwd", warden->run_path);
    (void)snprintf(group, sizeof(group), "%s/group", warden->run_path);
    struct sbx_arena arena;
    sbx_arena_init(&arena, SOCKET_LIST_BYTES);
    const struct sbx_plan_input input = {
        .sockets = sbx_sockets_find(&arena, warden->policy),
        .policy = warden->policy,
        .session_source = session,
        .passwd_source = passwd,
        .group_source = group,
        .extra = extra,
    };
    struct sbx_plan plan = {0};
    int status = input.sockets ? sbx_plan_build(&plan, &input, err)
                               : sbx_fail(err, SBX_E_LIMIT, 0,
                                          "more sockets and FIFOs lie in the view than can be "
                                          "masked; look for a program that makes them");
    if (!status)
        status = build_jail(warden, &plan, err);
    sbx_plan_free(&plan);
    sbx_arena_free(&arena);
    return status;
}

/* Nobody is let in whose sessions could not be recorded. */
static int record_start(struct sbx_warden *warden, struct sbx_err *err)
{
    struct sbx_event event = {
        .kind = SBX_EVENT_JAIL,
        .action = "start",
        .account = warden->account.name,
        .uid = warden->account.uid,
        .loginuid = -1,
    };
    if (sbx_log_append(warden->log, &event, NULL, err))
        return sbx_err_prefix(err, "cannot record the start of the jail: ");
    warden->has_started = true;
    sbx_rules_tell(warden);
    return 0;
}

static int open_signals(struct sbx_warden *warden, struct sbx_err *err)
{
    sigset_t set, changes;
    (void)sigemptyset(&changes);
    (void)sigaddset(&changes, SIGIO);
    warden->change_fd = signalfd(-1, &changes, SFD_CLOEXEC | SFD_NONBLOCK);
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGCHLD);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGHUP);
    warden->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    (void)sigaddset(&set, SIGIO);
    if (sigprocmask(SIG_SETMASK, &set, NULL))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot block signals");
    if (warden->signal_fd < 0 || warden->change_fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open a signalfd");
    return 0;
}

/* Parameters, account, policy and jail id are there already. On failure the caller tears down. */
int sbx_warden_setup(struct sbx_warden *warden, struct sbx_err *err)
{
    warden->started = (int64_t)time(NULL);
    warden->operators = find_operators(warden->policy);
    (void)snprintf(warden->run_path, sizeof(warden->run_path), "%s%s/%s", warden->paths.root,
                   SBX_JAILS_DIR, warden->jail_id);
    (void)snprintf(warden->cgroup_name, sizeof(warden->cgroup_name), "%s-w%d", warden->jail_id,
                   getpid());
    if (open_signals(warden, err) || sbx_kernel_require(warden->paths.root, err) ||
        open_log(warden, err) || sbx_files_claim(warden, err) || make_cgroup(warden, err) ||
        sbx_files_make(warden, err) || plan_and_build(warden, err) ||
        sbx_watch_start(warden, err) || sbx_files_attest(warden, err) ||
        sbx_clerk_start(warden, err) || record_start(warden, err))
        return -1;
    /* The first scan waits until those who came for this jail are in it. */
    warden->next_scan_ms = sbx_now_ms() + FIRST_SCAN_MS;
    warden->strays_fd = sbx_strays_open(warden->account.uid);
    (void)malloc_trim(0); /* of the filters' compilation, before the janitor shares it */
    return sbx_janitor_start(warden, err);
}

/* Whoever asked to join in the last moment hears that a new jail is to be made. */
static void turn_away(struct sbx_warden *warden)
{
    if (warden->listen_fd < 0)
        return;
    for (unsigned i = 0; i < SBX_MAX_SESSIONS && sbx_control_accept(warden); i++)
        ; /* the queue is no longer than that, and mostly empty */
    for (unsigned i = 0; i < warden->session_top; i++)
        if (warden->session[i].fd >= 0 && !warden->session[i].has_joined)
            sbx_control_serve(warden, &warden->session[i]);
    (void)close(warden->listen_fd);
    warden->listen_fd = -1;
}

static void step_aside(struct sbx_warden *warden)
{
    char name[64];
    struct sbx_err err;
    if (warden->retire_at_ms || !warden->has_dir)
        return;
    (void)snprintf(name, sizeof(name), "%s~%d", warden->jail_id, getpid());
    if (sbx_files_rename(warden, name, &err))
        sbx_warden_tell(warden, "note", err.message);
    warden->retire_at_ms = 1;
}

static void end_processes(struct sbx_warden *warden)
{
    struct sbx_err err;
    if (warden->has_cgroup && sbx_cgroup_kill(&warden->cgroup, END_TIMEOUT_MS, &err))
        sbx_warden_tell(warden, "note", err.message);
    sbx_jail_end(&warden->jail);
    if (warden->has_cgroup && sbx_cgroup_remove(&warden->cgroup, &err))
        sbx_warden_tell(warden, "note", err.message);
    warden->has_cgroup = false;
}

static void say_done(struct sbx_warden *warden)
{
    const struct sbx_header done = {SBX_PROTO_MAGIC, SBX_PROTO_VERSION, SBX_MSG_DONE, sizeof(done)};
    if (warden->killer_fd < 0)
        return;
    (void)send(warden->killer_fd, &done, sizeof(done), MSG_NOSIGNAL);
    (void)close(warden->killer_fd);
    warden->killer_fd = -1;
}

/* Undoes all of the setup, however far it got. The order matters: first nobody new comes in, then
 * the processes end, then it is recorded, and last the names go and the askers hear of it. */
void sbx_warden_teardown(struct sbx_warden *warden, const char *reason)
{
    char name[64];
    warden->is_ending = true;
    step_aside(warden);
    turn_away(warden);
    end_processes(warden);
    if (warden->log) /* a chain that never started ends with the reason why */
        sbx_warden_tell(warden, warden->has_started ? "end" : "refuse", reason);
    (void)snprintf(name, sizeof(name), "%s~%d", warden->jail_id, getpid());
    if (warden->jails_fd >= 0)
        sbx_files_remove(warden->jails_fd, name);
    say_done(warden);
    sbx_log_close(warden->log);
    warden->log = NULL;
}
