/* Paths of the account's are opened without trusting them: whose link it is decides. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/open.h"
#include "policy/cleanup.h"

Suite *open_suite(void);

static char top[64];
static int root_fd = -1;

static void make(const char *format, const char *target)
{
    char path[256];
    (void)snprintf(path, sizeof(path), "%s/%s", top, format);
    if (target)
        ck_assert_int_eq(symlink(target, path), 0);
    else
        ck_assert_int_eq(mkdir(path, 0755), 0);
}

static void setup(void)
{
    (void)snprintf(top, sizeof(top), "/tmp/sbx-open-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(top));
    ck_assert_int_eq(chmod(top, 0755), 0);
    make("data", NULL);
    make("data/bot", NULL);
    make("home", "/data");
    make("relative", "data");
    make("loop", "/loop");
    make("up", "data/../data");
    root_fd = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_ge(root_fd, 0);
}

static void teardown(void)
{
    char command[128];
    (void)close(root_fd);
    (void)snprintf(command, sizeof(command), "rm -rf %s", top);
    ck_assert_int_eq(system(command), 0);
}

static int open_errno(const char *path)
{
    int fd = sbx_open_walk(root_fd, path);
    int saved = errno;
    if (fd < 0)
        return saved;
    (void)close(fd);
    return 0;
}

static int is_same(const char *path, const char *expected)
{
    char full[256];
    struct stat a, b;
    _cleanup_fd_ int fd = sbx_open_walk(root_fd, path);
    (void)snprintf(full, sizeof(full), "%s/%s", top, expected);
    return fd >= 0 && !fstat(fd, &a) && !stat(full, &b) && a.st_ino == b.st_ino &&
           a.st_dev == b.st_dev;
}

START_TEST(walks_plain_paths)
{
    ck_assert(is_same("/data/bot", "data/bot"));
    ck_assert(is_same("//data///bot/", "data/bot"));
    ck_assert(is_same("/", "."));
    ck_assert_int_eq(open_errno("/data/none"), ENOENT);
    ck_assert_int_eq(open_errno("data"), EINVAL);
    ck_assert_int_eq(open_errno("/data/../data"), ELOOP);
}
END_TEST

/* /home -> /data, made by root in a directory of root's: an administrator's layout, followed. */
START_TEST(follows_roots_links)
{
    if (geteuid() != 0)
        return;
    ck_assert(is_same("/home/bot", "data/bot"));
    ck_assert(is_same("/relative/bot", "data/bot"));
    ck_assert_int_eq(open_errno("/loop"), ELOOP);
    ck_assert_int_eq(open_errno("/up"), ELOOP);
}
END_TEST

/* The same link, once it could have been made by somebody else, is refused. */
START_TEST(refuses_other_links)
{
    char path[256];
    if (geteuid() != 0)
        return;
    (void)snprintf(path, sizeof(path), "%s/data/work", top);
    ck_assert_int_eq(symlink("/etc", path), 0);
    ck_assert_int_eq(lchown(path, 65534, 65534), 0);
    ck_assert_int_eq(open_errno("/data/work"), ELOOP);
    ck_assert_int_eq(lchown(path, 0, 0), 0);
    ck_assert_int_eq(open_errno("/data/work"), ENOENT); /* followed: there is no etc in this root */
    (void)snprintf(path, sizeof(path), "%s/data", top);
    ck_assert_int_eq(chmod(path, 0777), 0);
    ck_assert_int_eq(open_errno("/data/work"), ELOOP);
}
END_TEST

/* An absolute link stays inside the root it is walked from. */
START_TEST(links_stay_in_the_root)
{
    if (geteuid() != 0)
        return;
    make("passwd", "/etc/passwd");
    ck_assert_int_eq(open_errno("/passwd"), ENOENT);
}
END_TEST

static void say_uid(void *data, int socket_fd)
{
    uid_t uid = geteuid();
    (void)data;
    (void)send(socket_fd, &uid, sizeof(uid), MSG_NOSIGNAL);
}

START_TEST(finds_what_is_above)
{
    static const struct {
        const char *path, *above;
    } rows[] = {
        {"/data/bot/x",    "/data/bot"},
        {"/data/no/x/y/z", "/data"    },
        {"/no",            "/"        },
        {"/loop/x",        "/"        },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct stat wanted, seen;
        _cleanup_fd_ int above = sbx_open_above(root_fd, rows[i].path);
        _cleanup_fd_ int same = sbx_open_walk(root_fd, rows[i].above);
        ck_assert_int_eq(fstat(above, &seen), 0);
        ck_assert_int_eq(fstat(same, &wanted), 0);
        ck_assert_uint_eq(seen.st_ino, wanted.st_ino);
    }
}
END_TEST

START_TEST(the_child_has_the_accounts_rights)
{
    if (geteuid() != 0)
        return;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_opener opener;
    const struct sbx_credentials nobody = {.uid = 65534, .gid = 65534};
    char path[256];
    make("secret", NULL);
    make("secret/inner", NULL);
    (void)snprintf(path, sizeof(path), "%s/secret", top);
    ck_assert_int_eq(chmod(path, 0700), 0);
    int data_fd = openat(root_fd, "data", O_PATH | O_DIRECTORY | O_CLOEXEC);
    const struct sbx_opener_spec spec = {
        .who = &nobody, .host_root_fd = root_fd, .new_root_fd = data_fd, .work = say_uid};
    ck_assert_int_eq(sbx_opener_start(&opener, &spec, &err), 0);
    struct sbx_opened opened;
    sbx_opener_open(&opener, "/data/bot", &opened);
    ck_assert_int_ge(opened.host_fd, 0);
    ck_assert_int_lt(opened.new_fd, 0);
    ck_assert_int_eq(opened.new_errno, ENOENT);
    (void)close(opened.host_fd);
    sbx_opener_open(&opener, "/bot", &opened); /* the other root alone has it */
    ck_assert_int_eq(opened.host_errno, ENOENT);
    ck_assert_int_ge(opened.new_fd, 0);
    (void)close(opened.new_fd);
    sbx_opener_open(&opener, "/secret/inner", &opened);
    ck_assert_int_lt(opened.host_fd, 0);
    ck_assert_int_eq(opened.host_errno, EACCES);
    sbx_opener_open(&opener, "work", &opened); /* no path, so no request for the work either */
    ck_assert_int_eq(opened.host_errno, EINVAL);
    uid_t uid = 0;
    ck_assert_int_eq(sbx_opener_ask(&opener), 0);
    ck_assert_int_eq(recv(opener.socket, &uid, sizeof(uid), 0), sizeof(uid));
    ck_assert_uint_eq(uid, 65534);
    sbx_opener_stop(&opener);
    sbx_opener_open(&opener, "/data/bot", &opened);
    ck_assert_int_lt(opened.host_fd, 0);
    (void)close(data_fd);
    ck_assert(is_same("/secret/inner", "secret/inner")); /* the twin: root itself would have */
}
END_TEST

Suite *open_suite(void)
{
    Suite *suite = suite_create("open");
    TCase *tcase = tcase_create("core");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, walks_plain_paths);
    tcase_add_test(tcase, follows_roots_links);
    tcase_add_test(tcase, refuses_other_links);
    tcase_add_test(tcase, finds_what_is_above);
    tcase_add_test(tcase, links_stay_in_the_root);
    tcase_add_test(tcase, the_child_has_the_accounts_rights);
    suite_add_tcase(suite, tcase);
    return suite;
}
