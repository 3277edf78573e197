#include <check.h>
#include <errno.h>
#include <string.h>

#include "policy/arena.h"
#include "policy/err.h"

Suite *err_suite(void);

START_TEST(says_aim_and_reason)
{
    struct sbx_err err = SBX_ERR_INIT;
    ck_assert_int_eq(sbx_fail(&err, SBX_E_SYSTEM, ENOENT, "cannot open %s", "/x"), -1);
    ck_assert_str_eq(err.message, "cannot open /x: No such file or directory");
    ck_assert_int_eq(sbx_err_prefix(&err, "policy: "), -1);
    ck_assert_str_eq(err.message, "policy: cannot open /x: No such file or directory");
    ck_assert_int_eq(sbx_fail(NULL, SBX_E_SYSTEM, 0, "x"), -1);
}
END_TEST

START_TEST(never_overruns)
{
    struct sbx_err err = SBX_ERR_INIT;
    char big[2000];
    memset(big, 'x', sizeof(big) - 1);
    big[sizeof(big) - 1] = '\0';
    sbx_fail(&err, SBX_E_SYSTEM, ENOENT, "%s", big);
    ck_assert_uint_eq(strlen(err.message), SBX_ERR_MESSAGE_BYTES - 1);
    sbx_err_prefix(&err, "%s", big);
    ck_assert_uint_eq(strlen(err.message), SBX_ERR_MESSAGE_BYTES - 1);
}
END_TEST

START_TEST(arena_keeps_its_limit)
{
    struct sbx_arena arena;
    sbx_arena_init(&arena, 100);
    ck_assert_ptr_nonnull(sbx_arena_alloc(&arena, 64));
    ck_assert_ptr_null(sbx_arena_alloc(&arena, 64));
    ck_assert_ptr_null(sbx_arena_alloc(&arena, (size_t)-1));
    ck_assert_str_eq(sbx_arena_strndup(&arena, "abcdef", 3), "abc");
    sbx_arena_free(&arena);
}
END_TEST

Suite *err_suite(void)
{
    Suite *suite = suite_create("err");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, says_aim_and_reason);
    tcase_add_test(tcase, never_overruns);
    tcase_add_test(tcase, arena_keeps_its_limit);
    suite_add_tcase(suite, tcase);
    return suite;
}
