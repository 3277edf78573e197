/* What `sbxctl run` makes of its words and of an environment. */
#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sbxctl/run.h"
#include "sbxctl/sbxctl.h"

Suite *run_suite(void);

#define WORDS_MAX 12
struct row {
    int status;
    const char *words[WORDS_MAX]; /* after "run" */
};

static int read_row(const struct row *row, struct sbx_run_words *out, char *argv[WORDS_MAX + 2])
{
    int argc = 1;
    argv[0] = strdup("run");
    for (; row->words[argc - 1]; argc++)
        argv[argc] = strdup(row->words[argc - 1]);
    argv[argc] = NULL;
    return sbx_run_read(argc, argv, out);
}

/* clang-format off */
static const struct row rows[] = {
    {0, {"--account", "a", "--", "id", NULL}},
    {0, {"--account=a", "id", "-u", NULL}},
    {0, {"--account", "a", "--policy", "p", "--workspace", "/w", "--set", "limits.tasks_max=5", "--root", "/r", "--", "id"}},
    {0, {"--account", "a", "--set", "network.allow_domain=a=b", "--", "id", NULL}},
    {2, {NULL}},
    {2, {"--", "id", NULL}},                         /* no account */
    {2, {"--account", "a", NULL}},                   /* no command */
    {2, {"--account", "a", "--", NULL}},
    {2, {"--account", "a", "--", "", NULL}},
    {2, {"--account", NULL}},
    {2, {"--account", "", "--", "id", NULL}},
    {2, {"--acount", "a", "--", "id", NULL}},
    {2, {"--account", "a", "--workspace", "w", "--", "id", NULL}},
    {2, {"--account", "a", "--set", "tasks_max=5", "--", "id", NULL}},
    {2, {"--account", "a", "--set", "limits.=5", "--", "id", NULL}},
    {2, {"--account", "a", "--set", ".x=5", "--", "id", NULL}},
    {2, {"--account", "a", "--set", "x=a.b", "--", "id", NULL}},
};
/* clang-format on */

static void be_quiet(void)
{
    int fd = open("/dev/null", O_WRONLY);
    ck_assert_int_eq(dup2(fd, 2), 2);
}

START_TEST(words)
{
    struct sbx_run_words out;
    char *argv[WORDS_MAX + 2];
    be_quiet();
    ck_assert_int_eq(read_row(&rows[_i], &out, argv), rows[_i].status);
    if (!rows[_i].status) {
        ck_assert_str_eq(out.account, "a");
        ck_assert_str_eq(out.command[0], "id");
    }
}
END_TEST

/* What belongs to the program is not ours, whatever it looks like. */
START_TEST(words_of_the_program_stay)
{
    static const struct row row = {
        0, {"--account", "a", "sh", "-c", "x", "--account", "b", "--", NULL}
    };
    struct sbx_run_words out;
    char *argv[WORDS_MAX + 2];
    ck_assert_int_eq(read_row(&row, &out, argv), 0);
    ck_assert_str_eq(out.account, "a");
    for (size_t i = 0; i < 6; i++)
        ck_assert_str_eq(out.command[i], row.words[i + 2]);
    ck_assert_ptr_null(out.command[6]);
}
END_TEST

START_TEST(operands_between_options)
{
    bool json = false;
    const char *root = NULL;
    char a0[] = "verb", a1[] = "one", a2[] = "--root", a3[] = "/r", a4[] = "two", a5[] = "--json",
         a6[] = "--", a7[] = "--three";
    char *argv[] = {a0, a1, a2, a3, a4, a5, a6, a7, NULL};
    const struct sbx_option options[] = {
        {"--root", SBX_OPT_TEXT, &root},
        {"--json",   SBX_OPT_FLAG, &json},
        {0}
    };
    int first;
    ck_assert_int_eq(sbx_options_read(8, argv, options, true, &first), 0);
    ck_assert(json);
    ck_assert_str_eq(root, "/r");
    ck_assert_int_eq(first, 5);
    ck_assert_str_eq(argv[5], "one");
    ck_assert_str_eq(argv[6], "two");
    ck_assert_str_eq(argv[7], "--three");
}
END_TEST

START_TEST(an_option_twice)
{
    const char *root = NULL;
    char a0[] = "verb", a1[] = "--root", a2[] = "/r", a3[] = "--root=/s";
    char *argv[] = {a0, a1, a2, a3, NULL};
    const struct sbx_option options[] = {
        {"--root", SBX_OPT_TEXT, &root},
        {0  }
    };
    int first;
    ck_assert_int_eq(sbx_options_read(4, argv, options, true, &first), 2);
}
END_TEST

START_TEST(names_of_accounts)
{
    ck_assert(sbx_is_account_word("agent"));
    ck_assert(sbx_is_account_word("DOM\\an.agent+1@example$"));
    ck_assert(!sbx_is_account_word(""));
    ck_assert(!sbx_is_account_word("-c"));
    ck_assert(!sbx_is_account_word("../agent"));
    ck_assert(!sbx_is_account_word("no such"));
}
END_TEST

static const char *find(char *const *environment, const char *name)
{
    size_t len = strlen(name);
    for (; *environment; environment++)
        if (!strncmp(*environment, name, len) && (*environment)[len] == '=')
            return *environment + len + 1;
    return NULL;
}

START_TEST(environment_is_fresh)
{
    static const struct sbx_run_account account = {
        .uid = 1000, .name = "a", .home = "/home/a", .shell = "/usr/bin/sbxsh"};
    char home[] = "HOME=/root", preload[] = "LD_PRELOAD=/x", token[] = "API_TOKEN=t",
         term[] = "TERM=xterm", path[] = "PATH=/root/bin";
    char *from[] = {home, preload, token, term, path, NULL};
    char **made = sbx_run_environment(&account, NULL, from, true);
    ck_assert_str_eq(find(made, "HOME"), "/home/a");
    ck_assert_str_eq(find(made, "USER"), "a");
    ck_assert_str_eq(find(made, "LOGNAME"), "a");
    ck_assert_str_eq(find(made, "SHELL"), "/usr/bin/sbxsh");
    ck_assert_str_eq(find(made, "TERM"), "xterm");
    ck_assert_str_eq(find(made, "PATH"), "/usr/local/bin:/usr/bin:/bin");
    ck_assert_ptr_null(find(made, "LD_PRELOAD"));
    ck_assert_ptr_null(find(made, "API_TOKEN"));
    sbx_run_environment_free(made);
    made = sbx_run_environment(&account, NULL, from, false);
    ck_assert_ptr_null(find(made, "TERM"));
    sbx_run_environment_free(made);
}
END_TEST

START_TEST(root_is_refused)
{
    struct sbx_run_account account;
    struct sbx_err err = SBX_ERR_INIT;
    ck_assert_int_eq(sbx_run_lookup("root", &account, &err), -1);
    ck_assert_int_eq(err.code, SBX_E_DENIED);
    ck_assert_int_eq(sbx_run_lookup("sbxt-no-such-account", &account, &err), -1);
}
END_TEST

/* What an account wrote cannot steer the terminal of who reads it. */
START_TEST(text_for_a_terminal)
{
    static const struct {
        const char *in, *out;
    } texts[] = {
        {"rm -rf \xc3\xa9",  "rm -rf \xc3\xa9" },
        {"\x1b[2J\n",        "\\x1b[2J\\x0a"   },
        {"\xc2\x9b"
         "31m",     "\\u{9b}31m"      },
        {"a\xe2\x80\xae"
         "b",       "a\\u{202e}b"     },
        {"\xff\xc0\xaf",     "\\xff\\xc0\\xaf" },
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
        {"\xed\xa0\x80",     "\\u{d800}"       },
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        char *shown = NULL;
        size_t len;
        FILE *out = open_memstream(&shown, &len);
        sbx_print_text(out, texts[i].in, strlen(texts[i].in));
        ck_assert_int_eq(fclose(out), 0);
        ck_assert_str_eq(shown, texts[i].out);
        free(shown);
    }
}
END_TEST

Suite *run_suite(void)
{
    Suite *suite = suite_create("run");
    TCase *tcase = tcase_create("core");
    tcase_add_loop_test(tcase, words, 0, sizeof(rows) / sizeof(*rows));
    tcase_add_test(tcase, words_of_the_program_stay);
    tcase_add_test(tcase, operands_between_options);
    tcase_add_test(tcase, an_option_twice);
    tcase_add_test(tcase, names_of_accounts);
    tcase_add_test(tcase, environment_is_fresh);
    tcase_add_test(tcase, root_is_refused);
    tcase_add_test(tcase, text_for_a_terminal);
    suite_add_tcase(suite, tcase);
    return suite;
}
