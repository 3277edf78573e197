/* The second wall, with its twin: the same access before the wall is there. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "child.h"
#include "jail/landlock.h"
#include "policy/cleanup.h"

Suite *landlock_suite(void);

struct place {
    char root[64];
    bool is_sealed;
};

static void place_make(struct place *place)
{
    char path[128];
    (void)snprintf(place->root, sizeof(place->root), "/tmp/sbx-test-landlock-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(place->root));
    static const char *const dirs[] = {"in", "in/a", "in/b", "out"};
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", place->root, dirs[i]);
        ck_assert_int_eq(mkdir(path, 0755), 0);
    }
    static const char *const files[] = {"in/a/f", "out/f", "single"};
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", place->root, files[i]);
        _cleanup_fd_ int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        ck_assert_int_ge(fd, 0);
    }
    (void)snprintf(path, sizeof(path), "%s/link", place->root);
    ck_assert_int_eq(symlink("out", path), 0);
}

static void place_remove(const struct place *place)
{
    char command[128];
    (void)snprintf(command, sizeof(command), "rm -rf %s", place->root);
    ck_assert_int_eq(system(command), 0);
}

/* in is writable, so is the one file single; a name that does not exist is left out, a link to out
 * is not followed. */
static int seal(const struct place *place)
{
    char in[80], single[80], absent[80], link[80];
    (void)snprintf(in, sizeof(in), "%s/in", place->root);
    (void)snprintf(single, sizeof(single), "%s/single", place->root);
    (void)snprintf(absent, sizeof(absent), "%s/absent/x", place->root);
    (void)snprintf(link, sizeof(link), "%s/link", place->root);
    const char *const writable[] = {in, single, absent, link, "unix:/run"};
    struct sbx_err err = SBX_ERR_INIT;
    if (!place->is_sealed)
        return 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || sbx_landlock_seal(writable, 5, &err)) {
        (void)fprintf(stderr, "%s\n", err.message);
        return -1;
    }
    return 0;
}

static int open_errno(const char *path, int flags)
{
    _cleanup_fd_ int fd = open(path, flags | O_CLOEXEC, 0600);
    return fd >= 0 ? 0 : errno;
}

static bool is_no(int got, bool is_sealed)
{
    return got == (is_sealed ? EACCES : 0);
}

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                          \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static int try_access(void *data)
{
    const struct place *place = data;
    bool is_sealed = place->is_sealed;
    if (seal(place) || chdir(place->root))
        return 2;
    /* reading and executing: everywhere */
    REQUIRE(open_errno("out/f", O_RDONLY) == 0);
    REQUIRE(open_errno("/etc/passwd", O_RDONLY) == 0);
    REQUIRE(open_errno("out", O_RDONLY | O_DIRECTORY) == 0);
    /* inside: all of it, also across directories (REFER) */
    REQUIRE(open_errno("in/new", O_CREAT | O_WRONLY) == 0);
    REQUIRE(rename("in/a/f", "in/b/g") == 0 && rename("in/b/g", "in/a/f") == 0);
    REQUIRE(link("in/a/f", "in/b/hard") == 0 && unlink("in/b/hard") == 0);
    REQUIRE(truncate("in/a/f", 0) == 0 && mkfifo("in/fifo", 0600) == 0);
    REQUIRE(open_errno("single", O_WRONLY | O_TRUNC) == 0);
    /* the nodes of /dev */
    REQUIRE(open_errno("/dev/null", O_RDWR) == 0);
    /* outside: none of it */
    REQUIRE(is_no(open_errno("out/f", O_WRONLY), is_sealed));
    REQUIRE(is_no(open_errno("out/new", O_CREAT | O_WRONLY), is_sealed));
    REQUIRE(is_no(open_errno("link/f", O_WRONLY), is_sealed));
    REQUIRE(is_no(truncate("out/f", 0) ? errno : 0, is_sealed && sbx_landlock_abi() >= 3));
    REQUIRE(is_no(mkdir("out/d", 0755) ? errno : 0, is_sealed));
    REQUIRE(is_no(symlink("f", "out/l") ? errno : 0, is_sealed));
    REQUIRE(is_no(mkfifo("out/fifo", 0600) ? errno : 0, is_sealed));
    int moved = rename("in/new", "out/moved") ? errno : 0;
    REQUIRE(is_sealed ? moved == EACCES || moved == EXDEV : moved == 0);
    REQUIRE(is_no(unlink("out/f") ? errno : 0, is_sealed));
    return 0;
}

START_TEST(writes_inside_only)
{
    if (sbx_landlock_abi() < 2) {
        (void)fprintf(stderr, "SKIPPED (no Landlock here): writes_inside_only\n");
        return;
    }
    for (int is_sealed = 0; is_sealed <= 1; is_sealed++) {
        struct place place = {.is_sealed = is_sealed};
        place_make(&place);
        ck_assert_int_eq(in_child(try_access, &place), 0);
        place_remove(&place);
    }
}
END_TEST

/* From ABI 9 on a socket outside the writable places cannot be connected to, unless it is named. */
struct socket_job {
    struct sockaddr_un at;
    const char *allowed;
};

static int try_connect(void *data)
{
    const struct socket_job *job = data;
    struct sbx_err err = SBX_ERR_INIT;
    const char *const writable[] = {job->allowed};
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (sbx_landlock_seal(writable, 1, &err))
        return 99;
    _cleanup_fd_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return connect(fd, (const struct sockaddr *)&job->at, sizeof(job->at)) ? errno : 0;
}

START_TEST(sockets_are_named)
{
    if (sbx_landlock_abi() < 9) {
        (void)fprintf(stderr, "SKIPPED (Landlock ABI %d): sockets_are_named\n", sbx_landlock_abi());
        return;
    }
    struct place place = {0};
    place_make(&place);
    struct socket_job job = {.at.sun_family = AF_UNIX};
    (void)snprintf(job.at.sun_path, sizeof(job.at.sun_path), "%s/out/s", place.root);
    char named[160], in[80];
    (void)snprintf(named, sizeof(named), "unix:%s", job.at.sun_path);
    (void)snprintf(in, sizeof(in), "%s/in", place.root);
    _cleanup_fd_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert(!bind(fd, (const struct sockaddr *)&job.at, sizeof(job.at)) && !listen(fd, 5));
    job.allowed = named;
    ck_assert_int_eq(WEXITSTATUS(in_child(try_connect, &job)), 0);
    job.allowed = "unix:/tmp";
    ck_assert_int_eq(WEXITSTATUS(in_child(try_connect, &job)), 0);
    job.allowed = in;
    ck_assert_int_eq(WEXITSTATUS(in_child(try_connect, &job)), EACCES);
    place_remove(&place);
}
END_TEST

static int seal_relative(void *data)
{
    (void)data;
    const char *const writable[] = {"in"};
    struct sbx_err err = SBX_ERR_INIT;
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return sbx_landlock_seal(writable, 1, &err) && err.code == SBX_E_USAGE ? 0 : 1;
}

START_TEST(relative_paths_are_refused)
{
    if (sbx_landlock_abi() >= 2)
        ck_assert_int_eq(in_child(seal_relative, NULL), 0);
}
END_TEST

Suite *landlock_suite(void)
{
    Suite *suite = suite_create("landlock");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, writes_inside_only);
    tcase_add_test(tcase, sockets_are_named);
    tcase_add_test(tcase, relative_paths_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
