/* Which settings of a PAM line are the same as those that a jail was built with. */
#include <check.h>
#include <stdbool.h>
#include <string.h>

#include "warden/client.h"

Suite *settings_suite(void);

START_TEST(settings_are_compared_by_what_they_say)
{
    static const char *const sets[][4] = {
        {"jail.linger=1s",          "network.mode=none", NULL},
        {"network.mode=none",                     "jail.linger=1s", NULL},
        {"jail.linger=1s",       NULL},
        {"jail.linger=2s",                     "network.mode=none", NULL},
        {"jail.linger=1snetwork.mode=none",          NULL},
        {"filesystem.deny_read=/a",                         "filesystem.deny_read=/b", NULL},
        {"filesystem.deny_read=/b","filesystem.deny_read=/a", NULL},
        {"filesystem.deny_read=/b",                         "jail.linger=1s", "filesystem.deny_read=/a", NULL},
        {"filesystem.deny_read=/b",            "filesystem.deny_read=/a", "jail.linger=1s", NULL},
        {NULL},
    };
    enum { COUNT = sizeof(sets) / sizeof(*sets) };
    static const struct {
        unsigned a, b;
    } same[] = {
        {0, 1},
        {7, 8}
    };
    char digest[COUNT][SBX_SETTINGS_BYTES];
    struct sbx_err err = SBX_ERR_INIT;
    for (unsigned i = 0; i < COUNT; i++)
        ck_assert_int_eq(sbx_settings_digest(sets[i], digest[i], &err), 0);
    ck_assert_str_eq(digest[COUNT - 1], "");
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned j = i + 1; j < COUNT; j++) {
            bool is_same = false;
            for (unsigned k = 0; k < sizeof(same) / sizeof(*same); k++)
                is_same = is_same || (same[k].a == i && same[k].b == j);
            ck_assert_msg(!strcmp(digest[i], digest[j]) == is_same, "%u and %u", i, j);
        }
    ck_assert_int_eq(sbx_settings_digest(NULL, digest[0], &err), 0);
    ck_assert_str_eq(digest[0], "");
}
END_TEST

Suite *settings_suite(void)
{
    Suite *suite = suite_create("settings");
    TCase *digest = tcase_create("digest");
    tcase_add_test(digest, settings_are_compared_by_what_they_say);
    suite_add_tcase(suite, digest);
    return suite;
}
