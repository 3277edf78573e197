/* The record of a login without a jail: made for the calling process's login, swept when that is over. */
#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "child.h"
#include "jail/unjailed.h"
#include "policy/cleanup.h"

Suite *unjailed_suite(void);

#define SOMEBODY 64321

/* A login of its own, by setting the login uid; its number. 0: the kernel keeps none. */
static uint32_t begin_login(void)
{
    char text[16] = "";
    _cleanup_fd_ int set = open("/proc/self/loginuid", O_WRONLY | O_CLOEXEC);
    if (set < 0 || write(set, "64321", 5) != 5)
        return 0;
    _cleanup_fd_ int fd = open("/proc/self/sessionid", O_RDONLY | O_CLOEXEC);
    return fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

static bool has(int dir, uint32_t login)
{
    char name[32];
    (void)snprintf(name, sizeof(name), "s%u", login);
    return !faccessat(dir, name, F_OK, 0);
}

static int record_in_child(void *data)
{
    int dir = *(int *)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_unjailed record;
    char name[32];
    struct stat st;
    (void)umask(0);
    uint32_t login = begin_login();
    if (!login)
        return 77;
    (void)snprintf(name, sizeof(name), "s%u", login);
    if (sbx_unjailed_write(dir, SOMEBODY, "why", &err) ||
        sbx_unjailed_write(dir, SOMEBODY, "why", &err))
        return 1;
    _cleanup_fd_ int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) || (st.st_mode & 07777) != 0444 ||
        read(fd, &record, sizeof(record)) != sizeof(record) || record.uid != SOMEBODY ||
        record.login != login || strcmp(record.told, "why") != 0)
        return 2;
    /* While a process of the login lives the record stays; that of a login that is over goes. */
    _cleanup_fd_ int old = openat(dir, "s1", O_CREAT | O_WRONLY | O_CLOEXEC, 0444);
    if (old < 0 || sbx_unjailed_sweep(dir, SOMEBODY, false) != 1 || !has(dir, login) || has(dir, 1))
        return 3;
    /* This login is ending, and no process runs as the account. */
    return sbx_unjailed_sweep(dir, SOMEBODY, true) || has(dir, login) ? 4 : 0;
}

START_TEST(a_record_lasts_as_long_as_its_login)
{
    char path[] = "/tmp/sbx-unjailed-XXXXXX";
    if (!has_root("a_record_lasts_as_long_as_its_login"))
        return;
    ck_assert_ptr_nonnull(mkdtemp(path));
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int status = in_child(record_in_child, &dir);
    if (status == 77 << 8)
        (void)fprintf(stderr, "SKIPPED: no login uid can be set here\n");
    else
        ck_assert_int_eq(status, 0);
    (void)close(dir);
    (void)rmdir(path);
}
END_TEST

static int open_outside(void *data)
{
    struct sbx_sessiondir session;
    struct sbx_unjailed record;
    struct sbx_err err = SBX_ERR_INIT;
    (void)data;
    (void)begin_login();
    int result = sbx_unjailed_open(&session, &record, &err);
    _cleanup_fd_ int fd = session.fd;
    return result ? 0 : 1;
}

START_TEST(no_record_no_session)
{
    ck_assert_int_eq(in_child(open_outside, NULL), 0);
}
END_TEST

Suite *unjailed_suite(void)
{
    Suite *suite = suite_create("unjailed");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, a_record_lasts_as_long_as_its_login);
    tcase_add_test(tcase, no_record_no_session);
    suite_add_tcase(suite, tcase);
    return suite;
}
