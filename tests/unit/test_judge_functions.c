/* Functions that the running shell has: judged where they are called, beside the plain name. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "judge_text.h"

Suite *judge_functions_suite(void);

static const char functions[] = "run () \n{ \n    \"$@\"\n}\n"
                                "wipe () \n{ \n    rm -rf ~\n}\n"
                                "uptime () \n{ \n    :\n}\n"
                                "first () \n{ \n    local x=1;\n    wipe\n}\n"
                                "again () \n{ \n    again \"$1\"\n}\n";

static enum sbx_verdict_kind judge_told(const char *told, const char *text)
{
    struct sbx_policy *policy = policy_of(JUDGE_POLICY "[permissions]\ndeny = Bash(uptime:*)\n");
    const struct sbx_context context = {
        .policy = policy, .cwd = "/home/agent/work/proj", .functions = told};
    struct sbx_verdict verdict;
    sbx_judge(&context, text, strlen(text), &verdict);
    ck_assert_uint_le(verdict.end, strlen(text)); /* a part of this text, not of the functions */
    free(policy);
    return verdict.verdict;
}

START_TEST(they_are_judged_where_they_are_called)
{
    ck_assert_int_eq(judge_told(functions, "run uptime"), SBX_DENY);
    ck_assert_int_eq(judge_told(NULL, "run uptime"), SBX_ALLOW);
    ck_assert_int_eq(judge_told(functions, "run echo hi"), SBX_ALLOW);
    ck_assert_int_eq(judge_told(functions, "wipe"), SBX_DENY);
    ck_assert_int_eq(judge_told(functions, "true && first"), SBX_DENY);
    ck_assert_int_eq(judge_told(functions, "again x"), SBX_ALLOW);
}
END_TEST

START_TEST(what_is_not_called_does_not_count)
{
    ck_assert_int_eq(judge_told(functions, "echo wipe"), SBX_ALLOW);
    ck_assert_int_eq(judge_told(functions, "command true"), SBX_ALLOW);
}
END_TEST

/* What the shell tells may be false: no function takes a denied name away. */
START_TEST(the_plain_name_counts_too)
{
    ck_assert_int_eq(judge_told(functions, "uptime"), SBX_DENY);
}
END_TEST

START_TEST(what_cannot_be_read_tells_less)
{
    char *long_text = malloc(600000);
    ck_assert_ptr_nonnull(long_text);
    memset(long_text, ':', 599999);
    long_text[599999] = '\0';
    ck_assert_int_eq(judge_told(long_text, "echo hi"), SBX_ALLOW);
    free(long_text);
    ck_assert_int_eq(judge_told("wipe () { rm -rf ~; }\nf () { (((", "wipe"), SBX_DENY);
    ck_assert_int_eq(judge_told(")(", "echo hi"), SBX_ALLOW);
    ck_assert_int_eq(judge_told("rm -rf ~\nrm () { :; }", "echo hi"), SBX_ALLOW);
}
END_TEST

Suite *judge_functions_suite(void)
{
    Suite *suite = suite_create("judge_functions");
    TCase *tc = tcase_create("judge_functions");
    tcase_add_test(tc, they_are_judged_where_they_are_called);
    tcase_add_test(tc, what_is_not_called_does_not_count);
    tcase_add_test(tc, the_plain_name_counts_too);
    tcase_add_test(tc, what_cannot_be_read_tells_less);
    suite_add_tcase(suite, tc);
    return suite;
}
