#include <check.h>

#include "policy/brief.h"
#include "policy_text.h"

Suite *brief_suite(void);

static char *brief_of(const char *managed)
{
    struct sbx_policy *policy = policy_of(managed);
    struct sbx_err err = SBX_ERR_INIT;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(sbx_brief_write(policy, stream, &err), 0);
    ck_assert_int_eq(fclose(stream), 0);
    free(policy);
    return text;
}

static void has(const char *text, const char *words)
{
    ck_assert_msg(strstr(text, words) != NULL, "no '%s' in:\n%s", words, text);
}

static void has_not(const char *text, const char *words)
{
    ck_assert_msg(strstr(text, words) == NULL, "'%s' in:\n%s", words, text);
}

START_TEST(tells_what_counts)
{
    char *text = brief_of(
        "[filesystem]\nworkspace = ~/work\nallow_write = ~/.cache\ndeny_write = ~/work/prod\n"
        "deny_read = ~/private\nallow_read = ~/.ssh/known_hosts\n"
        "[network]\nallow_domain = pypi.org\n[limits]\nmemory_max = 2G\n"
        "[permissions]\ndeny = Bash(secret-tool:*)\n");
    has(text, "You are `agent`");
    has(text, "Your workspace is `/home/agent/work`");
    has(text, "- `~/.cache`");
    has(text, "- `~/work/prod`");
    has(text, "- `~/private`");
    has(text, "- `~/.ssh/known_hosts`");
    has(text, "No host is reachable");
    has(text, "- `pypi.org`");
    has(text, "- memory: 2G");
    has(text, "- processes and threads: 512");
    has(text, "sbx-operators");
    has(text, "status 126");
    has_not(text, "secret-tool"); /* patterns of rules are the operator's */
    has_not(text, ".ini");
    free(text);
}
END_TEST

START_TEST(says_only_what_is_so)
{
    char *text = brief_of("[jail]\nprivate_tmp = no\n[filesystem]\nview = whole\n");
    has(text, "You see the whole machine");
    has_not(text, "`/tmp`, `/var/tmp`");
    has_not(text, "- memory:");
    has_not(text, "Readable all the same");
    has_not(text, "Policy names these domains");
    free(text);
}
END_TEST

START_TEST(is_bounded)
{
    static char policy[65536];
    size_t used = (size_t)snprintf(policy, sizeof(policy), "[filesystem]\n");
    for (int i = 0; i < 1000; i++)
        used +=
            (size_t)snprintf(policy + used, sizeof(policy) - used, "deny_read = /data/%04d\n", i);
    char *text = brief_of(policy);
    has(text, "- and 960 more");
    ck_assert_uint_lt(strlen(text), 8000);
    free(text);
}
END_TEST

START_TEST(a_full_stream_is_an_error)
{
    struct sbx_policy *policy = policy_of("[sandbox]\nenabled = yes\n");
    struct sbx_err err = SBX_ERR_INIT;
    char small[100];
    FILE *stream = fmemopen(small, sizeof(small), "w");
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(sbx_brief_write(policy, stream, &err), -1);
    (void)fclose(stream);
    free(policy);
}
END_TEST

Suite *brief_suite(void)
{
    Suite *suite = suite_create("brief");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, tells_what_counts);
    tcase_add_test(tcase, says_only_what_is_so);
    tcase_add_test(tcase, is_bounded);
    tcase_add_test(tcase, a_full_stream_is_an_error);
    suite_add_tcase(suite, tcase);
    return suite;
}
