/* `sbxctl run`: a jail for one program. Prints nothing of its own; the program's exit status is its. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "jail/relay.h"
#include "policy/cleanup.h"
#include "sbxctl/run.h"
#include "sbxctl/sbxctl.h"
#include "warden/event.h"

struct run { /* all that one run holds */
    struct sbx_run_words words;
    struct sbx_paths paths;
    struct sbx_run_account account;
    char jail[SBX_JAIL_ID_BYTES];
    struct sbx_join join;
    int session_fd;
    void *policy_bytes; /* owned; what policy points into */
    const struct sbx_policy *policy;
};

static int no_jail(const struct sbx_err *err)
{
    (void)sbx_complain(err);
    return SBX_EXIT_NO_JAIL;
}

static uint32_t own_loginuid(void)
{
    char text[16] = "";
    _cleanup_fd_ int fd = open("/proc/self/loginuid", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
        return (uint32_t)-1;
    return (uint32_t)strtoul(text, NULL, 10);
}

/* A jail that could not be had is an event too. What cannot be recorded is told. */
static void record_refusal(const struct run *run, const struct sbx_err *why)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_log *log = NULL;
    uint32_t loginuid = own_loginuid();
    const struct sbx_event event = {
        .kind = SBX_EVENT_JAIL,
        .source = SBX_SOURCE_SBXCTL,
        .verdict = "deny",
        .action = "refuse",
        .account = run->words.account,
        .uid = run->account.uid,
        .reason = why->message,
        .service = "run",
        .pid = getpid(),
        .loginuid = loginuid == (uint32_t)-1 ? -1 : (int64_t)loginuid,
    };
    _cleanup_fd_ int dirfd = sbx_paths_open(&run->paths, SBX_LOG_DIR, 0750, &err);
    if (dirfd < 0 || sbx_log_open(&log, dirfd, "host", 0, true, &err) ||
        sbx_log_append(log, &event, NULL, &err))
        (void)sbx_usage("the refusal is not in host.jsonl: %s", err.message);
    sbx_log_close(log);
}

static int own_folder(char out[PATH_MAX], struct sbx_err *err)
{
    ssize_t len = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (len <= 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot tell where this program is");
    out[len] = '\0';
    char *slash = strrchr(out, '/');
    slash[slash == out ? 1 : 0] = '\0';
    return 0;
}

/* A relative name that, from where the caller stands, is a program beside sbxctl means that one: its
 * folder is in the jail at its own path, but the program starts in the workspace. So
 * `build/sbxctl run … -- build/sbxsh -c …` does what it says. Others are the account's to find. */
static void place_program(struct run *run, char absolute[PATH_MAX])
{
    char folder[PATH_MAX];
    struct sbx_err ignored;
    char **command = run->words.command;
    if (command[0][0] == '/' || !strchr(command[0], '/') || !realpath(command[0], absolute) ||
        own_folder(folder, &ignored))
        return;
    size_t len = strlen(folder);
    if (!strncmp(absolute, folder, len) && absolute[len] == '/' && !strchr(absolute + len + 1, '/'))
        command[0] = absolute;
}

static int join(struct run *run, struct sbx_err *err)
{
    char folder[PATH_MAX], policy[PATH_MAX];
    if (run->words.policy && !realpath(run->words.policy, policy))
        return sbx_fail(err, SBX_E_USAGE, errno, "--policy %s", run->words.policy);
    if (own_folder(folder, err) || sbx_jail_number(&run->paths, run->account.uid, run->jail, err))
        return -1;
    const struct sbx_launch launch = {
        .account = run->account.name,
        .jail = run->jail,
        .policy = run->words.policy ? policy : NULL,
        .workspace = run->words.workspace,
        .settings = run->words.settings.count ? run->words.settings.text : NULL,
        .programs_bind = folder,
        .is_run = true,
    };
    struct sbx_join_request request = {
        .uid = run->account.uid, .loginuid = own_loginuid(), .service = "run"};
    return sbx_client_join(&run->paths, &launch, &request, &run->join, &run->session_fd, err);
}

/* The very policy that the jail was built from, as the warden published it. */
static int read_policy(struct run *run, struct sbx_err *err)
{
    char dir[128];
    struct stat st;
    (void)snprintf(dir, sizeof(dir), "%s/%s/session", SBX_JAILS_DIR, run->jail);
    _cleanup_fd_ int dirfd = sbx_paths_open(&run->paths, dir, 0, err);
    if (dirfd < 0)
        return -1;
    _cleanup_fd_ int fd = openat(dirfd, "policy", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open the policy of jail %s", run->jail);
    if (st.st_size <= 0 || (size_t)st.st_size > SBX_POLICY_MAX_BYTES)
        return sbx_fail(err, SBX_E_LIMIT, 0, "the policy of jail %s has no possible size",
                        run->jail);
    run->policy_bytes = malloc((size_t)st.st_size);
    if (!run->policy_bytes)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the policy");
    if (read(fd, run->policy_bytes, (size_t)st.st_size) != st.st_size)
        return sbx_fail(err, SBX_E_SYSTEM, EIO, "cannot read the policy of jail %s", run->jail);
    run->policy = sbx_policy_attach(run->policy_bytes, (size_t)st.st_size, err);
    return run->policy ? 0 : -1;
}

/* Without a terminal: waits, and passes signals on to the program's group, which has a session of
 * its own. */
static int wait_plain(pid_t pid, const sigset_t *signals, int *wait_status, struct sbx_err *err)
{
    for (;;) {
        int number = sigwaitinfo(signals, NULL);
        if (number < 0 && errno != EINTR)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot wait for the program");
        if (number > 0 && number != SIGCHLD)
            (void)kill(-pid, number);
        pid_t ended = waitpid(pid, wait_status, WNOHANG);
        if (ended == pid)
            return 0;
        if (ended < 0 && errno != EINTR)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot wait for the program");
    }
}

/* Waits for the program; returns what sbxctl exits with. */
static int attend(struct sbx_run_started *started, const sigset_t *signals, const sigset_t *before)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_run_failure failure;
    int status = 0, result;
    ssize_t got;
    do
        got = read(started->status_fd, &failure, sizeof(failure)); /* 0 once it is executed */
    while (got < 0 && errno == EINTR);
    if (got == sizeof(failure)) {
        failure.message[sizeof(failure.message) - 1] = '\0';
        (void)sbx_usage("%s", failure.message);
        (void)waitpid(started->pid, &status, 0);
        return failure.exit_status;
    }
    if (started->master_fd >= 0) {
        (void)sigprocmask(SIG_SETMASK, before, NULL);
        result =
            sbx_relay_run(started->terminal_fd, started->master_fd, started->pid, &status, &err);
    } else {
        result = wait_plain(started->pid, signals, &status, &err);
    }
    if (result)
        return no_jail(&err);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_program(struct run *run, struct sbx_err *err)
{
    sigset_t signals, before;
    static const int numbers[] = {SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    (void)sigemptyset(&signals);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        (void)sigaddset(&signals, numbers[i]);
    bool has_terminal = isatty(0) || isatty(1) || isatty(2);
    char **environment = sbx_run_environment(&run->account, run->policy, environ, has_terminal);
    if (!environment) {
        (void)sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the environment, or too much in it");
        return no_jail(err);
    }
    const struct sbx_run_start start = {
        .join = &run->join,
        .account = &run->account,
        .directory = sbx_policy_text(run->policy, run->policy->workspace),
        .needs_directory = run->words.workspace != NULL,
        .command = run->words.command,
        .environment = environment,
    };
    struct sbx_run_started started;
    (void)sigprocmask(SIG_BLOCK, &signals, &before); /* none is lost before somebody waits for it */
    int status =
        sbx_run_start(&start, &started, err) ? no_jail(err) : attend(&started, &signals, &before);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    sbx_cleanup_fd(&started.status_fd);
    sbx_cleanup_fd(&started.master_fd);
    sbx_run_environment_free(environment);
    return status;
}

/* Ends the jail and everything that the program left running in it, and waits until it is gone. */
static int end_jail(struct run *run, int status)
{
    struct sbx_err err = SBX_ERR_INIT;
    if (run->session_fd < 0)
        return status;
    if (sbx_client_kill(&run->paths, run->jail, &err) && err.code != SBX_E_GONE) {
        (void)sbx_err_prefix(&err, "jail %s did not end: ", run->jail);
        (void)sbx_complain(&err);
    }
    (void)close(run->session_fd);
    run->session_fd = -1;
    return status;
}

/* A stream that the caller closed becomes /dev/null: else the next descriptor opened here would
 * stand in its place, and go into the jail. */
static int fill_streams(struct sbx_err *err)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open /dev/null");
    return 0;
}

int sbx_verb_run(int argc, char **argv)
{
    struct run run = {.session_fd = -1, .join = SBX_JOIN_INIT};
    struct sbx_err err = SBX_ERR_INIT;
    int status = SBX_EXIT_NO_JAIL;
    char program[PATH_MAX];
    if (sbx_run_read(argc, argv, &run.words) || sbx_operate_paths(run.words.root, &run.paths))
        return SBX_EXIT_USAGE;
    if (geteuid() != 0) {
        (void)sbx_usage("run: needs root");
        return SBX_EXIT_NO_JAIL;
    }
    place_program(&run, program);
    if (fill_streams(&err) || sbx_run_lookup(run.words.account, &run.account, &err) ||
        join(&run, &err) || read_policy(&run, &err)) {
        record_refusal(&run, &err);
        status = no_jail(&err);
    } else {
        status = run_program(&run, &err);
    }
    status = end_jail(&run, status);
    sbx_join_release(&run.join);
    free(run.policy_bytes);
    return status;
}
