#include <check.h>
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "child.h"
#include "jail/caps.h"

Suite *caps_suite(void);

#define SOMEBODY 64321

static uint64_t status_set(const char *field)
{
    char line[256];
    FILE *file = fopen("/proc/self/status", "re");
    uint64_t value = ~0ull;
    while (file && fgets(line, sizeof(line), file))
        if (!strncmp(line, field, strlen(field)))
            value = strtoull(line + strlen(field), NULL, 16);
    if (file)
        (void)fclose(file);
    return value;
}

static int drop(void *data)
{
    (void)data;
    struct sbx_err err = SBX_ERR_INIT;
    uint64_t before = status_set("CapEff:\t");
    if (sbx_caps_drop_bounding(&err))
        return 1;
    if (status_set("CapBnd:\t") || status_set("CapAmb:\t") || status_set("CapInh:\t"))
        return 2;
    /* what is left is needed to become the account */
    return status_set("CapEff:\t") == before && before ? 0 : 3;
}

START_TEST(bounding_set_goes_effective_stays)
{
    if (has_root("bounding_set_goes_effective_stays"))
        ck_assert_int_eq(in_child(drop, NULL), 0);
}
END_TEST

static int become(void *data)
{
    struct sbx_err err = SBX_ERR_INIT;
    const gid_t groups[] = {SOMEBODY, SOMEBODY + 1};
    gid_t now[8];
    if (data) /* a way back that a careless program would leave open */
        (void)prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
    if (sbx_caps_become(SOMEBODY, SOMEBODY, groups, 2, &err))
        return 1;
    if (status_set("CapEff:\t") || status_set("CapPrm:\t") || status_set("CapBnd:\t"))
        return 2;
    if (getgroups(8, now) != 2 || now[0] != groups[0] || now[1] != groups[1])
        return 3;
    return geteuid() == SOMEBODY && setuid(0) && setgid(0) && setgroups(0, NULL) ? 0 : 4;
}

START_TEST(becomes_and_stays)
{
    if (!has_root("becomes_and_stays"))
        return;
    ck_assert_int_eq(in_child(become, NULL), 0);
    ck_assert_int_eq(in_child(become, &(int){1}), 0);
}
END_TEST

static int refuse_root(void *data)
{
    (void)data;
    struct sbx_err err = SBX_ERR_INIT;
    return sbx_caps_become(0, 0, NULL, 0, &err) && sbx_caps_become((uid_t)-1, 1, NULL, 0, &err) ? 0
                                                                                                : 1;
}

START_TEST(never_becomes_root)
{
    ck_assert_int_eq(in_child(refuse_root, NULL), 0);
}
END_TEST

/* Without privilege it must say so, not go on. */
static int drop_without_right(void *data)
{
    (void)data;
    struct sbx_err err = SBX_ERR_INIT;
    if (geteuid() == 0 && setresuid(SOMEBODY, SOMEBODY, SOMEBODY))
        return 2;
    return sbx_caps_drop_bounding(&err) ? 0 : 1;
}

START_TEST(failure_is_told)
{
    ck_assert_int_eq(in_child(drop_without_right, NULL), 0);
}
END_TEST

Suite *caps_suite(void)
{
    Suite *suite = suite_create("caps");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, bounding_set_goes_effective_stays);
    tcase_add_test(tcase, becomes_and_stays);
    tcase_add_test(tcase, never_becomes_root);
    tcase_add_test(tcase, failure_is_told);
    suite_add_tcase(suite, tcase);
    return suite;
}
