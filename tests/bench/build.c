/* A jail against the bare namespaces it is made of: build ROUNDS ACCOUNT POLICY PROGRAMS SCRATCH
 *
 * Side by side, one after the other in each round; prints two lines: median and least microseconds
 * of clone(2) into the same six namespaces, and of sbx_jail_build(). Root. SCRATCH is an empty
 * directory of root's; the control group and the ends of jails are not part of the time. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "jail/jail.h"
#include "jail/seccomp.h"
#include "policy/cleanup.h"
#include "policy/config.h"

#define MAX_ROUNDS 1000
#define NAMESPACES                                                                                 \
    (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

static int64_t now_ns(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void print(int64_t *times, size_t count)
{
    qsort(times, count, sizeof(*times), compare);
    (void)printf("%lld %lld\n", (long long)times[count / 2] / 1000, (long long)times[0] / 1000);
}

/* Until the child runs in its namespaces, as sbx_jail_build() ends when the jail's init does. */
static int64_t time_bare(void)
{
    int64_t began = now_ns();
    pid_t pid = (pid_t)syscall(SYS_clone, NAMESPACES | SIGCHLD, 0, 0, 0, 0);
    if (!pid)
        _exit(0);
    if (pid < 0 || waitpid(pid, NULL, 0) < 0)
        return -1;
    return now_ns() - began;
}

static int compile(const char *policy_path, const struct passwd *account, struct sbx_policy **out,
                   struct sbx_err *err)
{
    struct sbx_config *config = NULL;
    const struct sbx_subject subject = {.account = account->pw_name,
                                        .home = account->pw_dir,
                                        .uid = account->pw_uid,
                                        .gid = account->pw_gid};
    int status = sbx_config_new(&config, err);
    if (!status)
        status = sbx_config_read_path(config, policy_path, account->pw_name, NULL, NULL, err);
    if (!status)
        status = sbx_policy_compile(config, &subject, out, err);
    sbx_config_free(config);
    return status;
}

/* The warden's run directory as far as a build needs it. */
static int make_scratch(const char *scratch)
{
    static const struct {
        const char *name;
        mode_t mode;
    } dirs[] = {
        {"session",  0755},
        {"mask",     0700},
        {"mask/dir", 0   },
        {"stage",    0700}
    };
    static const char *const files[] = {"mask/file", "passwd", "group"};
    _cleanup_fd_ int top = open(scratch, O_DIRECTORY | O_CLOEXEC);
    if (top < 0)
        return -1;
    for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
        if (mkdirat(top, dirs[i].name, dirs[i].mode) && errno != EEXIST)
            return -1;
    }
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        _cleanup_fd_ int fd = openat(top, files[i], O_WRONLY | O_CREAT | O_CLOEXEC, i ? 0644 : 0);
        if (fd < 0)
            return -1;
    }
    return 0;
}

static void ignore(void *data, const char *message)
{
    (void)data;
    (void)message;
}

static void ignore_guard(void *data, const struct sbx_guard *guard)
{
    (void)data, (void)guard;
}

/* The filter that sbx-init loads; -1 on failure. */
static int init_filter(struct sbx_err *err)
{
    struct sbx_bpf filter = {0};
    if (sbx_seccomp_compile_helper(SBX_HELPER_INIT, &filter, err))
        return -1;
    size_t size = filter.count * sizeof(*filter.code);
    int fd = memfd_create("filter", MFD_CLOEXEC);
    if (fd < 0 || write(fd, filter.code, size) != (ssize_t)size)
        (void)sbx_fail(err, SBX_E_SYSTEM, errno, "cannot keep the filter");
    free(filter.code);
    return fd;
}

static int run(size_t rounds, const struct sbx_jail_spec *spec, struct sbx_err *err)
{
    static int64_t bare[MAX_ROUNDS], jail[MAX_ROUNDS];
    for (size_t i = 0; i < rounds; i++) {
        struct sbx_jail built;
        bare[i] = time_bare();
        if (bare[i] < 0)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make bare namespaces");
        int64_t began = now_ns();
        if (sbx_jail_build(spec, &built, err))
            return -1;
        jail[i] = now_ns() - began;
        sbx_jail_end(&built);
    }
    print(bare, rounds);
    print(jail, rounds);
    return 0;
}

static int measure(char **argv, size_t rounds, struct sbx_err *err)
{
    const char *scratch = argv[5];
    char session[4096], passwd[4096], group[4096], init[4096];
    const struct passwd *account = getpwnam(argv[2]);
    if (!account || make_scratch(scratch))
        return sbx_fail(err, SBX_E_USAGE, errno, "no account %s, or no scratch", argv[2]);
    (void)snprintf(session, sizeof(session), "%s/session", scratch);
    (void)snprintf(passwd, sizeof(passwd), "%s/passwd", scratch);
    (void)snprintf(group, sizeof(group), "%s/group", scratch);
    (void)snprintf(init, sizeof(init), "%s/sbx-init", argv[4]);
    _cleanup_fd_ int init_fd = open(init, O_PATH | O_CLOEXEC);
    _cleanup_fd_ int filter_fd = init_filter(err);
    _cleanup_free_ struct sbx_policy *policy = NULL;
    if (filter_fd < 0)
        return -1;
    if (init_fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open %s", init);
    if (compile(argv[3], account, &policy, err))
        return -1;
    const char *const none[] = {NULL};
    struct sbx_plan plan = {0};
    const struct sbx_plan_input input = {.policy = policy,
                                         .session_source = session,
                                         .passwd_source = passwd,
                                         .group_source = group,
                                         .sockets = none,
                                         .extra = none};
    gid_t groups[] = {account->pw_gid};
    const struct sbx_jail_spec spec = {
        .plan = &plan,
        .policy = policy,
        .account = {.uid = account->pw_uid,
                    .gid = account->pw_gid,
                    .groups = groups,
                    .group_count = 1},
        .account_name = account->pw_name,
        .run_path = scratch,
        .cgroup_fd = -1,
        .init_fd = init_fd,
        .init_uid = 61184,
        .init_gid = 61184,
        .init_filter_fd = filter_fd,
        .note = ignore,
        .guard = ignore_guard,
    };
    int status = sbx_plan_build(&plan, &input, err);
    if (!status)
        status = run(rounds, &spec, err);
    sbx_plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct sbx_err err = SBX_ERR_INIT;
    long rounds = argc == 6 ? strtol(argv[1], NULL, 10) : 0;
    if (rounds < 1 || rounds > MAX_ROUNDS) {
        (void)fputs("usage: build ROUNDS ACCOUNT POLICY PROGRAMS SCRATCH\n", stderr);
        return 2;
    }
    if (measure(argv, (size_t)rounds, &err)) {
        (void)fprintf(stderr, "build: %s\n", err.message);
        return 1;
    }
    return 0;
}
