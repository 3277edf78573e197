/* Limits, counting and the end of a group: with a fork bomb in it. Needs root and control groups. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

#include "child.h"
#include "jail/cgroup.h"
#include "jail/cgroup_tree.h"

Suite *cgroup_suite(void);

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, err.message);        \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

#define MEMORY ((int64_t)48 << 20)
#define TASKS  25

static void name_of_test(char out[64])
{
    (void)snprintf(out, 64, "test-%d", getpid());
}

static void enter(const struct sbx_cgroup *cgroup)
{
    for (unsigned i = 0; i < cgroup->count; i++)
        if (write(cgroup->group[i].procs_fd, "0", 1) != 1)
            _exit(90);
}

static void rest(long ms)
{
    const struct timespec time = {.tv_nsec = ms * 1000000};
    (void)nanosleep(&time, NULL);
}

/* Forks in every process as long as it can, and for ever when killed one by one. */
static _Noreturn void bomb(void)
{
    for (;;) {
        if (fork() < 0)
            rest(1);
    }
}

/* The memory hog: killed, or refused; never done. */
static _Noreturn void hog(void)
{
    size_t size = (size_t)MEMORY * 3;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        _exit(91);
    memset(memory, 1, size);
    _exit(0);
}

static int child_status(pid_t pid)
{
    int status = -1;
    return waitpid(pid, &status, 0) == pid ? status : -1;
}

static int bound_a_bomb(void *data)
{
    (void)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_cgroup cgroup;
    char name[64];
    name_of_test(name);
    const struct sbx_cgroup_limits limits = {
        .memory_bytes = MEMORY, .tasks = TASKS, .cpu_percent = 40};
    REQUIRE(!sbx_cgroup_create(&cgroup, name, &limits, &err));
    REQUIRE(sbx_cgroup_population(&cgroup) == 0 && !sbx_cgroup_has(&cgroup, getpid()));

    /* the bomb's orphans come here, not to an init that may be slow to reap */
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    (void)signal(SIGCHLD, SIG_IGN);
    pid_t pid = fork();
    if (!pid) {
        enter(&cgroup);
        bomb();
    }
    int population = 0;
    for (int i = 0; i < 400 && population < TASKS; i++) {
        rest(5);
        population = sbx_cgroup_population(&cgroup);
        REQUIRE(population <= TASKS);
    }
    REQUIRE(population == TASKS && sbx_cgroup_has(&cgroup, pid));
    REQUIRE(!sbx_cgroup_kill(&cgroup, 5000, &err));
    REQUIRE(sbx_cgroup_population(&cgroup) == 0);
    char path[512];
    (void)snprintf(path, sizeof(path), "%s", cgroup.group[0].path);
    REQUIRE(!sbx_cgroup_remove(&cgroup, &err) && cgroup.count == 0);
    REQUIRE(access(path, F_OK) && errno == ENOENT);
    return 0;
}

START_TEST(fork_bomb_is_bounded_and_ended)
{
    if (has_root("fork_bomb_is_bounded_and_ended"))
        ck_assert_int_eq(in_child(bound_a_bomb, NULL), 0);
}
END_TEST

static int bound_memory(void *data)
{
    (void)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_cgroup cgroup;
    char name[64];
    name_of_test(name);
    const struct sbx_cgroup_limits limits = {
        .memory_bytes = MEMORY, .tasks = TASKS, .cpu_percent = -1};
    pid_t free_hog = fork();
    if (!free_hog)
        hog();
    REQUIRE(child_status(free_hog) == 0); /* the twin */
    REQUIRE(!sbx_cgroup_create(&cgroup, name, &limits, &err));
    pid_t pid = fork();
    if (!pid) {
        enter(&cgroup);
        hog();
    }
    int status = child_status(pid);
    REQUIRE(!sbx_cgroup_remove(&cgroup, &err));
    REQUIRE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    return 0;
}

START_TEST(memory_is_bounded)
{
    if (has_root("memory_is_bounded"))
        ck_assert_int_eq(in_child(bound_memory, NULL), 0);
}
END_TEST

/* Spins for a second of the clock; answers the hundredths of a second of CPU that it got. */
static _Noreturn void spin(void)
{
    struct timespec start, now, used;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    do
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < 1000);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    _exit((int)(used.tv_sec * 100 + used.tv_nsec / 10000000));
}

#define CPU_PERCENT 20

static int bound_cpu(void *data)
{
    (void)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_cgroup cgroup;
    char name[64];
    name_of_test(name);
    const struct sbx_cgroup_limits limits = {
        .memory_bytes = -1, .tasks = TASKS, .cpu_percent = CPU_PERCENT};
    REQUIRE(!sbx_cgroup_create(&cgroup, name, &limits, &err));
    pid_t pid = fork();
    if (!pid) {
        enter(&cgroup);
        spin();
    }
    int status = child_status(pid);
    REQUIRE(!sbx_cgroup_remove(&cgroup, &err));
    pid_t free_spinner = fork();
    if (!free_spinner)
        spin();
    int free_status = child_status(free_spinner);
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) <= CPU_PERCENT * 3 / 2);
    /* the twin, as far as a busy machine lets it show */
    if (WEXITSTATUS(free_status) <= CPU_PERCENT * 3 / 2)
        (void)fprintf(stderr, "SKIPPED (machine too busy): twin of cpu_is_bounded\n");
    return 0;
}

START_TEST(cpu_is_bounded)
{
    if (has_root("cpu_is_bounded"))
        ck_assert_int_eq(in_child(bound_cpu, NULL), 0);
}
END_TEST

static int two_of_a_name(void *data)
{
    (void)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_cgroup first, second;
    char name[64], path[512];
    name_of_test(name);
    const struct sbx_cgroup_limits none = {-1, -1, -1};
    REQUIRE(!sbx_cgroup_create(&first, name, &none, &err));
    REQUIRE(sbx_cgroup_create(&second, name, &none, &err) && err.errnum == EEXIST);
    REQUIRE(second.count == 0);
    (void)snprintf(path, sizeof(path), "%s", first.group[0].path);
    REQUIRE(access(path, F_OK) == 0); /* the failure took nothing of the first one away */

    /* What a killed warden leaves: processes and all. */
    pid_t pid = fork();
    if (!pid) {
        enter(&first);
        for (;;)
            (void)pause();
    }
    while (!sbx_cgroup_has(&first, pid))
        rest(2);
    REQUIRE(!sbx_cgroup_sweep(name, &err));
    REQUIRE(access(path, F_OK) && errno == ENOENT);
    REQUIRE(WTERMSIG(child_status(pid)) == SIGKILL);
    REQUIRE(!sbx_cgroup_sweep(name, &err)); /* nothing there: fine */
    return 0;
}

START_TEST(names_are_unique_and_swept)
{
    if (has_root("names_are_unique_and_swept"))
        ck_assert_int_eq(in_child(two_of_a_name, NULL), 0);
}
END_TEST

static int refuse_names(void *data)
{
    (void)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_cgroup cgroup;
    const struct sbx_cgroup_limits none = {-1, -1, -1};
    static const char *const names[] = {
        "",     "..",  "a/b",
        "../x", "a b", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        REQUIRE(sbx_cgroup_create(&cgroup, names[i], &none, &err));
    return 0;
}

START_TEST(odd_names_are_refused)
{
    if (has_root("odd_names_are_refused"))
        ck_assert_int_eq(in_child(refuse_names, NULL), 0);
}
END_TEST

/* A limit that the kernel does not take is an error, and nothing is left. */
static int refuse_limit(void *data)
{
    (void)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_cgroup cgroup;
    char name[64], path[600];
    name_of_test(name);
    const struct sbx_cgroup_limits odd = {
        .memory_bytes = -1, .tasks = (int64_t)1 << 62, .cpu_percent = -1};
    REQUIRE(sbx_cgroup_create(&cgroup, name, &odd, &err) && cgroup.count == 0);
    (void)snprintf(path, sizeof(path),
                   "! ls -d /sys/fs/cgroup/sbx-%s /sys/fs/cgroup/*/sbx-%s 2>/dev/null", name, name);
    REQUIRE(system(path) == 0);
    return 0;
}

START_TEST(limits_are_read_back)
{
    if (has_root("limits_are_read_back"))
        ck_assert_int_eq(in_child(refuse_limit, NULL), 0);
}
END_TEST

/* Where a unit's group is found from what /proc/self/cgroup says. */
START_TEST(units_are_recognised)
{
    static const struct {
        const char *own;
        const char *path; /* NULL: no unit of ours */
    } rows[] = {
        {"/system.slice/system-sbx\\x2djail.slice/sbx-jail@1000.service",
         "/m/system.slice/system-sbx\\x2djail.slice/sbx-jail@1000.service"                                         },
        {"/system.slice/sbx-jail@1000-3.service/warden",                  "/m/system.slice/sbx-jail@1000-3.service"},
        {"/system.slice/ssh.service",                                     NULL                                     },
        {"/user.slice/user-1000.slice/session-3.scope",                   NULL                                     },
        {"/system.slice/sbx-jail@1000.service/other",                     NULL                                     },
        {"/warden",                                                       NULL                                     },
        {"",                                                              NULL                                     },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct sbx_hierarchy at = {.mount = "/m", .is_v2 = true};
        char path[SBX_CGROUP_PATH];
        (void)snprintf(at.own, sizeof(at.own), "%s", rows[i].own);
        ck_assert_msg(sbx_hierarchy_unit(&at, path) == (rows[i].path != NULL), "%s", rows[i].own);
        if (rows[i].path)
            ck_assert_str_eq(path, rows[i].path);
    }
}
END_TEST

Suite *cgroup_suite(void)
{
    Suite *suite = suite_create("cgroup");
    TCase *tcase = tcase_create("core");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, fork_bomb_is_bounded_and_ended);
    tcase_add_test(tcase, memory_is_bounded);
    tcase_add_test(tcase, cpu_is_bounded);
    tcase_add_test(tcase, names_are_unique_and_swept);
    tcase_add_test(tcase, odd_names_are_refused);
    tcase_add_test(tcase, limits_are_read_back);
    tcase_add_test(tcase, units_are_recognised);
    suite_add_tcase(suite, tcase);
    return suite;
}
