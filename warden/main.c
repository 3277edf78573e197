/* sbx-warden: keeps one jail.
 *
 *   sbx-warden --launch JAIL [--root DIR]   starts it: as a unit of systemd, or as a daemon; returns
 *                                           when the jail can be joined, or with a line that says why not
 *   sbx-warden --jail JAIL [--root DIR]     is it, in the foreground (what the unit runs)
 *   sbx-warden --sweep JAIL [--root DIR]    removes what killed wardens of that id left */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/kernel.h"
#include "policy/cleanup.h"
#include "warden/client_parts.h"
#include "warden/warden.h"

#define READY_MS 30000

struct words {
    const char *mode, *jail, *root;
};

static int say(const struct sbx_err *err)
{
    (void)printf("%s\n", err->message);
    return 1;
}

static struct sbx_warden *new_warden(void)
{
    struct sbx_warden *warden = calloc(1, sizeof(*warden));
    if (!warden)
        return NULL;
    warden->jails_fd = warden->run_fd = warden->session_dir_fd = warden->filter_fd = -1;
    warden->init_filter_fd = warden->clerk_filter_fd = -1;
    warden->listen_fd = warden->signal_fd = warden->change_fd = warden->janitor_fd =
        warden->strays_fd = -1;
    warden->clerk.line_fd = warden->clerk.shell_fd = warden->killer_fd = -1;
    warden->jail = (struct sbx_jail){.init_pidfd = -1, .line_fd = -1};
    return warden;
}

/* Everything that is known before anything is changed. */
static int learn(struct sbx_warden *warden, const struct words *words, struct sbx_err *err)
{
    char self[512];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (n <= 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot find the folder of sbx-warden");
    self[n] = '\0';
    if (!sbx_jail_id_valid(words->jail))
        return sbx_fail(err, SBX_E_USAGE, 0, "'%s' is no jail id", words->jail);
    if (sbx_paths_init(&warden->paths, words->root, self, err))
        return -1;
    warden->jails_fd = sbx_paths_open(&warden->paths, SBX_JAILS_DIR, 0755, err);
    if (warden->jails_fd < 0)
        return -1;
    bool is_unit = !strcmp(words->mode, "--jail");
    _cleanup_fd_ int file = is_unit ? sbx_params_open(warden->jails_fd, words->jail, err) : -1;
    if ((is_unit && file < 0) ||
        sbx_params_read(&warden->params, is_unit ? file : STDIN_FILENO, err) ||
        sbx_account_find(&warden->account, warden->params.account, warden->params.uid, err) ||
        sbx_helper_user("sbx-init", (uid_t)-1, &warden->init_user, err) ||
        sbx_helper_user("sbx-clerk", warden->init_user.uid, &warden->clerk_user, err) ||
        sbx_rules_load(warden, &warden->policy, &warden->stamp, err))
        return -1;
    (void)snprintf(warden->jail_id, sizeof(warden->jail_id), "%s", words->jail);
    return 0;
}

/* The life of a jail. `ready` is told when it can be joined. */
static int keep(struct sbx_warden *warden, void (*ready)(void *data, const char *word), void *data)
{
    struct sbx_err err = SBX_ERR_INIT;
    if (sbx_warden_setup(warden, &err)) {
        sbx_warden_teardown(warden, err.message);
        ready(data, err.message);
        return 1;
    }
    ready(data, "");
    sbx_warden_loop(warden);
    sbx_warden_teardown(warden, warden->end_reason[0] ? warden->end_reason : "the loop failed");
    return 0;
}

static void unit_ready(void *data, const char *word)
{
    (void)data;
    if (*word)
        (void)fprintf(stderr, "%s\n", word);
    else
        sbx_unit_ready();
}

static void pipe_ready(void *data, const char *word)
{
    int fd = *(int *)data;
    char line[SBX_ERR_MESSAGE_BYTES + 2];
    int n = snprintf(line, sizeof(line), "%s\n", *word ? word : "ready");
    (void)!write(fd, line, (size_t)n);
    (void)close(fd);
}

/* The daemon belongs to no login: its own session and no login uid. The groups are left when the
 * jail's are made. */
static void leave_login(void)
{
    (void)setsid();
    _cleanup_fd_ int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null_fd >= 0) {
        (void)dup2(null_fd, 0);
        (void)dup2(null_fd, 1);
        (void)dup2(null_fd, 2);
    }
    _cleanup_fd_ int loginuid = open("/proc/self/loginuid", O_WRONLY | O_CLOEXEC);
    if (loginuid >= 0) /* refused where audit pins it: then the records carry the login's */
        (void)!write(loginuid, "4294967295", 10);
}

/* Reads the daemon's one line. Empty where it ended without a word. */
static void await_line(int fd, char *line, size_t size)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    int64_t deadline = sbx_now_ms() + READY_MS;
    size_t used = 0;
    while (used < size - 1) {
        int64_t left = deadline - sbx_now_ms();
        if (left <= 0 || poll(&poll_fd, 1, (int)left) <= 0)
            break;
        ssize_t n = read(fd, line + used, size - 1 - used);
        if (n <= 0)
            break;
        used += (size_t)n;
        if (memchr(line, '\n', used))
            break;
    }
    line[used] = '\0';
    line[strcspn(line, "\n")] = '\0';
}

static int launch_daemon(struct sbx_warden *warden, struct sbx_err *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a pipe");
    pid_t pid = fork();
    if (pid == 0) {
        (void)close(ends[0]);
        leave_login();
        _exit(keep(warden, pipe_ready, &ends[1]));
    }
    (void)close(ends[1]);
    char line[SBX_ERR_MESSAGE_BYTES] = "";
    if (pid > 0)
        await_line(ends[0], line, sizeof(line));
    (void)close(ends[0]);
    if (!strcmp(line, "ready"))
        return 0;
    if (!line[0]) { /* it was killed on the way: nobody else knows what it had made */
        char name[64];
        (void)snprintf(name, sizeof(name), "%s-w%d", warden->jail_id, pid);
        if (pid > 0)
            (void)kill(pid, SIGKILL);
        (void)waitpid(pid, NULL, 0);
        struct sbx_err ignored;
        (void)sbx_cgroup_sweep(name, &ignored);
        sbx_files_remove(warden->jails_fd, warden->jail_id);
    }
    return sbx_fail(err, SBX_E_SYSTEM, 0, "%s", line[0] ? line : "the warden ended without a word");
}

/* scope = session: every login gets a jail of its own, numbered. */
static int choose_id(struct sbx_warden *warden, struct sbx_err *err)
{
    if (sbx_policy_number(warden->policy, SBX_KEY_JAIL_SCOPE) != 1 || warden->params.is_run)
        return 0;
    char jail[SBX_JAIL_ID_BYTES];
    if (sbx_jail_number(&warden->paths, warden->account.uid, jail, err))
        return -1;
    memcpy(warden->jail_id, jail, sizeof(jail));
    return 0;
}

static int launch_unit(struct sbx_warden *warden, struct sbx_err *err)
{
    char name[64];
    if (sbx_params_put(STDIN_FILENO, warden->jails_fd, warden->jail_id, err))
        return -1;
    int failed = sbx_unit_start(warden->jail_id, err);
    (void)snprintf(name, sizeof(name), "%s.launch", warden->jail_id);
    (void)unlinkat(warden->jails_fd, name, 0);
    return failed;
}

/* No jail is built, and the launcher's answer is one line: see SBX_LAUNCH_UNJAILED. */
static int answer_unjailed(const struct sbx_warden *warden, const struct sbx_exempt *exempt)
{
    struct sbx_err err = SBX_ERR_INIT;
    if (sbx_exempt_publish(warden, exempt, &err)) {
        (void)sbx_err_prefix(&err, "cannot let the account in without a jail: ");
        return say(&err);
    }
    (void)printf("%s|%s|%s\n", exempt->rule, exempt->origin, exempt->why);
    return SBX_LAUNCH_UNJAILED;
}

/* Why there is no jail, item by item. Only what this machine lacks for certain counts as being
 * unavailable: a shortage could be of the account's making. */
static int explain(struct sbx_warden *warden, struct sbx_err *err)
{
    struct sbx_feature features[SBX_FEATURES_MAX], trials[SBX_TRIALS_MAX];
    struct sbx_lacks lacks = SBX_LACKS_INIT;
    struct sbx_exempt exempt;
    size_t count = sbx_kernel_probe(warden->paths.root, features);
    sbx_lacks_add(&lacks, features, count);
    count = sbx_trial_run(trials);
    sbx_lacks_add(&lacks, trials, count);
    const char *certain = lacks.is_certain ? lacks.text : NULL;
    if (certain && sbx_exempt_now(warden, warden->policy, certain, &exempt))
        return answer_unjailed(warden, &exempt);
    if (lacks.count && err->code != SBX_E_UNSUPPORTED)
        (void)sbx_err_prefix(err, "%.300s; ", lacks.text);
    else if (lacks.count)
        (void)sbx_fail(err, SBX_E_UNSUPPORTED, 0, "%s", lacks.text);
    return say(err);
}

static int launch(struct sbx_warden *warden, const struct words *words)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_exempt exempt;
    if (learn(warden, words, &err))
        return say(&err);
    if (sbx_exempt_now(warden, warden->policy, NULL, &exempt))
        return answer_unjailed(warden, &exempt);
    /* Before anything is begun: what lacks is told whole, and no unit is started in vain. */
    if (sbx_kernel_require(warden->paths.root, &err))
        return explain(warden, &err);
    if (choose_id(warden, &err))
        return say(&err);
    sbx_exempt_forget(warden);
    if (sbx_unit_is_usable(&warden->paths) ? launch_unit(warden, &err)
                                           : launch_daemon(warden, &err))
        return explain(warden, &err);
    (void)printf("jail=%s\n", warden->jail_id);
    return 0;
}

static int sweep(struct sbx_warden *warden, const struct words *words)
{
    struct sbx_err err;
    if (!sbx_jail_id_valid(words->jail) ||
        sbx_paths_init(&warden->paths, words->root, "/proc/self/exe", &err))
        return 2;
    sbx_janitor_sweep_dead(&warden->paths, words->jail);
    return 0;
}

static bool read_words(int argc, char **argv, struct words *words)
{
    if (argc != 3 && argc != 5)
        return false;
    *words = (struct words){.mode = argv[1], .jail = argv[2]};
    if (argc == 5 && !strcmp(argv[3], "--root"))
        words->root = argv[4];
    return argc == 3 || words->root;
}

/* A descriptor for every session: with none left, connections would be seen for ever and never taken. */
static void make_room(void)
{
    struct rlimit files;
    const rlim_t wanted = 2 * SBX_MAX_SESSIONS;
    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= wanted)
        return;
    files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &files);
}

int main(int argc, char **argv)
{
    struct words words;
    struct sbx_err err = SBX_ERR_INIT;
    if (!read_words(argc, argv, &words)) {
        (void)fputs("usage: sbx-warden (--launch | --jail | --sweep) JAIL [--root DIR]\n", stderr);
        return 2;
    }
    (void)umask(022);
    (void)personality(
        PER_LINUX); /* su's caller may have chosen one that hides the kernel's version */
    make_room();
    struct sbx_warden *warden = new_warden();
    if (!warden)
        return 1;
    if (!strcmp(words.mode, "--launch"))
        return launch(warden, &words);
    if (!strcmp(words.mode, "--sweep"))
        return sweep(warden, &words);
    if (strcmp(words.mode, "--jail") != 0)
        return 2;
    if (learn(warden, &words, &err)) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    return keep(warden, unit_ready, NULL);
}
