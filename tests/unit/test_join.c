/* Entering a set of namespaces that the test makes; and what happens where something is missing. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "child.h"
#include "jail/cgroup.h"
#include "jail/join.h"
#include "jail/seccomp.h"
#include "jail/sessiondir.h"
#include "jail/sys.h"
#include "policy/cleanup.h"

Suite *join_suite(void);

#define NAMESPACES                                                                                 \
    (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
#define OPEN_FILES 123
#define HOSTNAME   "sbx-test-jail"

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, err.message);        \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

/* pid 1 of the jail: an own /proc; in /tmp a directory of its own and a link where the host has a
 * directory. Waits until it is killed. */
/* What the warden writes for those inside: the join seals itself with it. */
static bool write_session(void)
{
    struct sbx_bpf seal = {0};
    struct sbx_err err = SBX_ERR_INIT;
    static const char envelope[] = "/tmp\n/dev\n/proc\n";
    if (mount("sbx-test", "/run", "tmpfs", 0, "mode=0755") || mkdir("/run/sbx", 0755) ||
        mkdir(SBX_SESSION_DIR, 0755) || sbx_seccomp_compile(SBX_FILTER_ALLOW, NULL, &seal, &err))
        return false;
    _cleanup_free_ struct sock_filter *code = seal.code;
    ssize_t size = (ssize_t)(seal.count * sizeof(*code));
    _cleanup_fd_ int file = open(SBX_SESSION_DIR "/seal", O_CREAT | O_WRONLY | O_CLOEXEC, 0444);
    _cleanup_fd_ int text = open(SBX_SESSION_DIR "/landlock", O_CREAT | O_WRONLY | O_CLOEXEC, 0444);
    return write(file, code, (size_t)size) == size &&
           write(text, envelope, sizeof(envelope) - 1) == sizeof(envelope) - 1 &&
           !fchmod(file, 0444) && !fchmod(text, 0444) &&
           !mount(SBX_SESSION_DIR, SBX_SESSION_DIR, NULL, MS_BIND, NULL) &&
           !mount(NULL, SBX_SESSION_DIR, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL);
}

static _Noreturn void init_main(int ready)
{
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("proc", "/proc", "proc", 0, NULL) || mount("sbx-test", "/tmp", "tmpfs", 0, NULL) ||
        mkdir("/tmp/sbx-test-kept", 0755) || symlink("/etc", "/tmp/sbx-test-link") ||
        !write_session() || sethostname(HOSTNAME, strlen(HOSTNAME)) || write(ready, "r", 1) != 1)
        _exit(1);
    for (;;)
        (void)pause();
}

/* Makes the namespaces and their init; returns a pidfd of it. */
static int make_jail(pid_t *init)
{
    int pipes[2];
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* init is to be reaped with the test */
    if (pipe2(pipes, O_CLOEXEC))
        return -1;
    pid_t maker = fork();
    if (!maker) {
        pid_t pid = unshare(NAMESPACES) ? -1 : fork();
        if (!pid)
            init_main(pipes[1]);
        (void)!write(pipes[1], &pid, sizeof(pid));
        _exit(0);
    }
    (void)waitpid(maker, NULL, 0);
    /* the pid and the one byte, in whatever order */
    char bytes[sizeof(pid_t) + 1], *at = bytes;
    for (size_t left = sizeof(bytes); left;) {
        ssize_t got = read(pipes[0], at, left);
        if (got <= 0)
            return -1;
        at += got;
        left -= (size_t)got;
    }
    memcpy(init, bytes[0] == 'r' && bytes[4] != 'r' ? bytes + 1 : bytes, sizeof(*init));
    (void)close(pipes[0]);
    (void)close(pipes[1]);
    return *init > 0 ? sbx_sys_pidfd_open(*init, 0) : -1;
}

static bool fill(struct sbx_join *join, pid_t *init, struct sbx_err *err)
{
    struct sbx_bpf bpf;
    *join = SBX_JOIN_INIT;
    if (sbx_seccomp_compile(SBX_FILTER_DENY, NULL, &bpf, err))
        return false;
    join->filter = bpf.code;
    join->filter_count = bpf.count;
    join->rlimit[0].resource = RLIMIT_NOFILE;
    join->rlimit[0].value = OPEN_FILES;
    join->rlimit[1].resource = RLIMIT_CORE;
    join->rlimit[1].value = 1;
    join->rlimit_count = 2;
    join->init_pidfd = make_jail(init);
    return join->init_pidfd >= 0;
}

/* A program started by the joined process, as the account would be. */
static int check_child(void *data)
{
    (void)data;
    struct sbx_err err = SBX_ERR_INIT;
    char name[65] = "";
    struct rlimit limit;
    REQUIRE(getppid() == 0 && getpid() > 1 && getpid() < 10); /* the parent is not of this ns */
    REQUIRE(!gethostname(name, sizeof(name)) && !strcmp(name, HOSTNAME));
    REQUIRE(!access("/tmp/sbx-test-kept", F_OK) && access("/proc/self", F_OK) == 0);
    REQUIRE(!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_max == OPEN_FILES);
    /* 0 where sudo lowered it and root lacks CAP_SYS_RESOURCE to raise it again. */
    REQUIRE(!getrlimit(RLIMIT_CORE, &limit) && (limit.rlim_cur == 1 || limit.rlim_max == 0));
    REQUIRE(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 && prctl(PR_GET_SECCOMP) == 2);
    REQUIRE(prctl(PR_CAPBSET_READ, 21, 0, 0, 0) == 0);
    REQUIRE(unshare(CLONE_NEWUTS) && errno == EPERM); /* still root: the filter says so */
    REQUIRE(sbx_seccomp_is_sealed() && open("/run/new", O_CREAT | O_WRONLY, 0600) < 0 &&
            errno == EACCES); /* and the envelope */
    return 0;
}

struct job {
    const char *cwd, *expected_cwd;
};

static int enter_jail(void *data)
{
    const struct job *job = data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_join join;
    pid_t init = -1;
    int entered = -1;
    char cwd[256] = "";
    REQUIRE(fill(&join, &init, &err) && !chdir(job->cwd));
    int failed = sbx_join_enter(&join, &entered, &err);
    int status = failed ? -1 : in_child(check_child, NULL);
    (void)sbx_sys_pidfd_send_signal(join.init_pidfd, SIGKILL);
    REQUIRE(!failed && entered == 1 && status == 0);
    REQUIRE(getcwd(cwd, sizeof(cwd)) && !strcmp(cwd, job->expected_cwd));
    sbx_join_release(&join);
    REQUIRE(join.init_pidfd == -1 && !join.filter);
    return 0;
}

START_TEST(joins)
{
    static const char *const dirs[] = {"/tmp/sbx-test-kept", "/tmp/sbx-test-link",
                                       "/tmp/sbx-test-gone"};
    struct job jobs[] = {
        {"/usr/lib", "/usr/lib"},
        {dirs[0],    dirs[0]   }, /* the same name is another directory there */
        {dirs[1],    "/"       }, /* a link there: not followed */
        {dirs[2],    "/"       }, /* nothing there */
    };
    if (!has_root("joins"))
        return;
    for (size_t i = 0; i < 3; i++)
        ck_assert(!mkdir(dirs[i], 0755) || errno == EEXIST);
    for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++)
        ck_assert_msg(in_child(enter_jail, &jobs[i]) == 0, "from %s", jobs[i].cwd);
    for (size_t i = 0; i < 3; i++)
        (void)rmdir(dirs[i]);
}
END_TEST

static int enter_cgroup(void *data)
{
    (void)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_join join;
    struct sbx_cgroup cgroup;
    const struct sbx_cgroup_limits limits = {.memory_bytes = -1, .tasks = 10, .cpu_percent = -1};
    pid_t init = -1, self = getpid();
    int entered = -1;
    char name[64];
    (void)snprintf(name, sizeof(name), "test-join-%d", self);
    REQUIRE(!sbx_cgroup_create(&cgroup, name, &limits, &err) && fill(&join, &init, &err));
    for (unsigned i = 0; i < cgroup.count; i++)
        join.procs_fd[i] = dup(cgroup.group[i].procs_fd);
    join.procs_count = cgroup.count;
    /* The joiner may not be the one that holds the group: it cannot leave any more. */
    pid_t pid = fork();
    if (!pid)
        _exit(sbx_join_enter(&join, &entered, &err) ? 1 : (pause(), 0));
    int tries = 0;
    while (!sbx_cgroup_has(&cgroup, pid) && tries++ < 1000)
        (void)usleep(2000);
    (void)sbx_sys_pidfd_send_signal(join.init_pidfd, SIGKILL);
    REQUIRE(!sbx_cgroup_kill(&cgroup, 3000, &err) && waitpid(pid, NULL, 0) == pid);
    REQUIRE(!sbx_cgroup_remove(&cgroup, &err) && tries < 1000);
    sbx_join_release(&join);
    return 0;
}

START_TEST(joins_the_control_group)
{
    if (has_root("joins_the_control_group"))
        ck_assert_int_eq(in_child(enter_cgroup, NULL), 0);
}
END_TEST

enum lack {
    LACK_FILTER,
    LACK_INIT,
    LACK_LIVE_INIT,
    LACK_ANY_INIT,
    LACK_GROUP,
    LACK_WHOLE_FILTER,
    LACKS
};

/* Nothing of the jail may be half there: told by `entered`. */
static int enter_without(void *data)
{
    enum lack lack = *(enum lack *)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_join join;
    struct stat before, after;
    pid_t init = -1;
    int entered = -1;
    REQUIRE(fill(&join, &init, &err) && !stat("/proc/self/ns/mnt", &before));
    int pidfd = dup(join.init_pidfd);
    if (lack == LACK_FILTER)
        join.filter_count = 0;
    if (lack == LACK_INIT)
        join.init_pidfd = -1;
    if (lack == LACK_GROUP) {
        join.procs_fd[0] = open("/dev/full", O_WRONLY | O_CLOEXEC);
        join.procs_count = 1;
    }
    if (lack == LACK_WHOLE_FILTER)
        join.filter_count--;
    if (lack == LACK_LIVE_INIT || lack == LACK_ANY_INIT) { /* a zombie, or not even that */
        siginfo_t info;
        int options = WEXITED | (lack == LACK_LIVE_INIT ? WNOWAIT : 0);
        REQUIRE(!sbx_sys_pidfd_send_signal(pidfd, SIGKILL));
        REQUIRE(!waitid(P_PID, (id_t)init, &info, options));
    }
    int result = sbx_join_enter(&join, &entered, &err);
    (void)sbx_sys_pidfd_send_signal(pidfd, SIGKILL);
    REQUIRE(result == -1 && err.message[0]);
    REQUIRE(entered == (lack == LACK_WHOLE_FILTER));
    REQUIRE(entered || (!stat("/proc/self/ns/mnt", &after) && before.st_ino == after.st_ino));
    return 0;
}

START_TEST(refuses_what_is_not_whole)
{
    if (!has_root("refuses_what_is_not_whole"))
        return;
    for (int lack = 0; lack < LACKS; lack++) {
        enum lack one = (enum lack)lack;
        ck_assert_msg(in_child(enter_without, &one) == 0, "lack %d", lack);
    }
}
END_TEST

Suite *join_suite(void)
{
    Suite *suite = suite_create("join");
    TCase *tcase = tcase_create("core");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, joins);
    tcase_add_test(tcase, joins_the_control_group);
    tcase_add_test(tcase, refuses_what_is_not_whole);
    suite_add_tcase(suite, tcase);
    return suite;
}
