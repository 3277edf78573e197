/* What the login shell makes of its arguments and of an environment. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "policy_text.h"
#include "sbxsh/arguments.h"
#include "sbxsh/environment.h"

Suite *shell_environment_suite(void);

struct built {
    struct sbx_policy *policy;
    struct sbx_arena arena;
    char **vars;
};

static struct built build(const char *managed, bool is_nested, const char *const *inherited)
{
    struct built built = {.policy = policy_of(managed)};
    struct sbx_err err = SBX_ERR_INIT;
    const struct sbxsh_entry entry = {.policy = built.policy,
                                      .shell = "/usr/bin/sbxsh",
                                      .jail = "1000",
                                      .brief = "/run/sbx/session/brief.md",
                                      .is_nested = is_nested};
    sbx_arena_init(&built.arena, SBXSH_ENVIRONMENT_MAX_BYTES);
    built.vars = sbxsh_environment_build(&built.arena, &entry, inherited, &err);
    ck_assert_msg(built.vars != NULL, "%s", err.message);
    return built;
}

static void discard(struct built *built)
{
    sbx_arena_free(&built->arena);
    free(built->policy);
}

static const char *value_of(const struct built *built, const char *name)
{
    const char *found = NULL;
    size_t len = strlen(name);
    for (char **at = built->vars; *at; at++) {
        if (strncmp(*at, name, len) != 0 || (*at)[len] != '=')
            continue;
        ck_assert_msg(!found, "%s stands twice", name);
        found = *at + len + 1;
    }
    return found;
}

static bool has(const struct built *built, const char *name)
{
    return value_of(built, name) != NULL;
}

static const char *const nothing[] = {NULL};

START_TEST(identity_comes_from_policy)
{
    const char *const inherited[] = {
        "HOME=/evil", "USER=root", "SHELL=/bin/sh", "PATH=/evil", "PWD=/x", "SBX_JAIL=0", NULL};
    struct built built = build("", false, inherited);
    ck_assert_str_eq(value_of(&built, "HOME"), "/home/agent");
    ck_assert_str_eq(value_of(&built, "USER"), "agent");
    ck_assert_str_eq(value_of(&built, "LOGNAME"), "agent");
    ck_assert_str_eq(value_of(&built, "SHELL"), "/usr/bin/sbxsh");
    ck_assert_str_eq(value_of(&built, "PATH"), "/usr/local/bin:/usr/bin:/bin");
    ck_assert_str_eq(value_of(&built, "SBX_JAIL"), "1000");
    ck_assert(!has(&built, "PWD"));
    discard(&built);
}
END_TEST

START_TEST(path_knows_the_home)
{
    struct built built = build("[environment]\npath = ~/bin:/usr/bin:~:/a~b\n", false, nothing);
    ck_assert_str_eq(value_of(&built, "PATH"), "/home/agent/bin:/usr/bin:/home/agent:/a~b");
    discard(&built);
}
END_TEST

/* Each of these has run code before a command, or changed what bash reads. */
static const char *const hostile[] = {
    "LD_PRELOAD=/tmp/x.so",
    "LD_AUDIT=x",
    "BASH_ENV=/tmp/x",
    "ENV=/tmp/x",
    "SHELLOPTS=xtrace",
    "BASHOPTS=extglob",
    "PS4=$(id)",
    "PROMPT_COMMAND=id",
    "IFS=/",
    "BASH_FUNC_ls%%=() { id; }",
    "BASH_COMPAT=31",
    "POSIXLY_CORRECT=1",
    "GCONV_PATH=/tmp",
    "LOCPATH=/tmp",
    "CDPATH=/tmp",
    "GLIBC_TUNABLES=x",
    "PS1=$(id)",
    "INPUTRC=/tmp/x",
};

START_TEST(never_taken_whatever_is_kept)
{
    for (int nested = 0; nested < 2; nested++) {
        for (size_t i = 0; i < sizeof(hostile) / sizeof(*hostile); i++) {
            char text[64];
            (void)snprintf(text, sizeof(text), "%s", hostile[i]);
            const char *const inherited[] = {text, "FINE=1", NULL};
            struct built built = build("[environment]\nkeep = *\n", nested, inherited);
            for (char **at = built.vars; *at; at++)
                ck_assert_msg(strcmp(*at, text) != 0, "%s got in", text);
            ck_assert(has(&built, "FINE")); /* the twin: others do */
            discard(&built);
        }
    }
}
END_TEST

START_TEST(entry_takes_few_and_by_form)
{
    const char *const inherited[] = {"TERM=xterm-256color",
                                     "LANG=de_DE.UTF-8",
                                     "LC_ALL=zh_HK.BIG5-HKSCS",
                                     "LC_TIME=C",
                                     "TZ=/etc/shadow",
                                     "SSH_CONNECTION=1.2.3.4 5 6.7.8.9 22",
                                     "SSH_ORIGINAL_COMMAND=a \"b\"",
                                     "SSH_AUTH_SOCK=/tmp/a",
                                     "GIT_SSH_COMMAND=id",
                                     "GIT_PROTOCOL=version=2",
                                     "FOO=1",
                                     "XDG_RUNTIME_DIR=/run/user/1",
                                     "=odd",
                                     "noequals",
                                     NULL};
    struct built built = build("", false, inherited);
    ck_assert_str_eq(value_of(&built, "TERM"), "xterm-256color");
    ck_assert_str_eq(value_of(&built, "LANG"), "de_DE.UTF-8");
    ck_assert_str_eq(value_of(&built, "LC_TIME"), "C");
    ck_assert_str_eq(value_of(&built, "SSH_ORIGINAL_COMMAND"), "a \"b\"");
    ck_assert(has(&built, "SSH_CONNECTION") && has(&built, "GIT_PROTOCOL"));
    ck_assert(!has(&built, "LC_ALL") && !has(&built, "TZ") && !has(&built, "SSH_AUTH_SOCK"));
    ck_assert(!has(&built, "GIT_SSH_COMMAND") && !has(&built, "FOO"));
    ck_assert(!has(&built, "XDG_RUNTIME_DIR"));
    discard(&built);
}
END_TEST

START_TEST(terminal_names_hold_no_path)
{
    const char *const inherited[] = {"TERM=/tmp/evil", NULL};
    struct built built = build("", false, inherited);
    ck_assert(!has(&built, "TERM"));
    discard(&built);
}
END_TEST

START_TEST(keep_deny_and_set)
{
    const char *const inherited[] = {"APP_MODE=1",  "APP_SECRET=s", "APP_X=2",      "OTHER=3",
                                     "NPM_TOKEN=t", "CI_KEY=k",     "FIXED=theirs", NULL};
    struct built built = build("[environment]\nkeep = APP_*\nkeep = NPM_TOKEN\nkeep = C?_KEY\n"
                               "deny = APP_X\nset = FIXED=ours\nset = BASH_COMPAT=5.2\n",
                               false, inherited);
    ck_assert(has(&built, "APP_MODE"));
    ck_assert(!has(&built, "APP_SECRET")); /* a pattern does not reach secrets … */
    ck_assert(!has(&built, "CI_KEY"));
    ck_assert(has(&built, "NPM_TOKEN")); /* … a name does */
    ck_assert(!has(&built, "APP_X") && !has(&built, "OTHER"));
    ck_assert_str_eq(value_of(&built, "FIXED"), "ours");
    ck_assert(has(&built, "BASH_COMPAT")); /* root may */
    discard(&built);
}
END_TEST

START_TEST(deny_env_beats_keep)
{
    const char *const inherited[] = {"MY_THING=1", NULL};
    struct built built =
        build("[environment]\nkeep = MY_THING\n[credentials]\ndeny_env = MY_*\n", false, inherited);
    ck_assert(!has(&built, "MY_THING"));
    discard(&built);
}
END_TEST

START_TEST(nested_keeps_what_programs_set)
{
    const char *const inherited[] = {"PATH=/venv/bin:/usr/bin", "npm_config_x=1",
                                     "HOME=/home/agent",        "API_KEY=own",
                                     "GIT_EDITOR=vi",           NULL};
    struct built built = build("[environment]\nset = A=b\n", true, inherited);
    ck_assert_str_eq(value_of(&built, "PATH"), "/venv/bin:/usr/bin");
    ck_assert(has(&built, "npm_config_x") && has(&built, "API_KEY") && has(&built, "GIT_EDITOR"));
    ck_assert(!has(&built, "A"));
    discard(&built);
}
END_TEST

START_TEST(many_variables_are_met)
{
    enum { COUNT = 20000 };
    const char **inherited = calloc(COUNT + 1, sizeof(*inherited));
    ck_assert_ptr_nonnull(inherited);
    for (size_t i = 0; i < COUNT; i++)
        inherited[i] = "V=1";
    struct built built = build("", true, inherited);
    size_t count = 0;
    while (built.vars[count])
        count++;
    ck_assert_uint_eq(count, COUNT);
    discard(&built);
    free(inherited);
}
END_TEST

/* clang-format off */
static const struct {
    bool matches;
    const char *pattern, *name;
} patterns[] = {
    {true,  "*", ""},         {true,  "*_TOKEN", "A_TOKEN"},   {false, "*_TOKEN", "A_TOKENS"},
    {true,  "A*B*C", "AxBxC"}, {false, "A*B*C", "AxCxB"},      {true,  "a?c", "abc"},
    {false, "a?c", "ac"},     {true,  "**x**", "axb"},         {false, "", "a"},
    {true,  "*PASS*", "MYPASSWORD"},
};
/* clang-format on */

START_TEST(names_match)
{
    ck_assert_int_eq(
        sbxsh_name_matches(patterns[_i].pattern, patterns[_i].name, strlen(patterns[_i].name)),
        patterns[_i].matches);
}
END_TEST

/* clang-format off */
static const struct {
    int result;
    const char *argv[5];
} forms[] = {
    {0,  {"sbxsh", "-c", "id", NULL}},
    {0,  {"-sbxsh", NULL}},
    {0,  {"-sbxsh", "-c", "id", NULL}},
    {0,  {"/usr/bin/sbxsh", "-c", "/bin/sh ~/.ssh/rc", NULL}},
    {0,  {"sbxsh", NULL}},
    {0,  {"sbxsh", "-c", "", NULL}},
    {0,  {"sbxsh", "-c", "-i", NULL}},
    {-1, {"sbxsh", "-i", NULL}},
    {-1, {"sbxsh", "-c", NULL}},
    {-1, {"sbxsh", "-c", "id", "more", NULL}},
    {-1, {"sbxsh", "-l", "-c", "id", NULL}},
    {-1, {"sbxsh", "-lc", "id", NULL}},
    {-1, {"sbxsh", "script", NULL}},
    {-1, {"sbxsh", "--version", NULL}},
    {-1, {NULL}},
};
/* clang-format on */

START_TEST(only_what_login_programs_say)
{
    struct sbxsh_arguments arguments;
    struct sbx_err err = SBX_ERR_INIT;
    int argc = 0;
    while (forms[_i].argv[argc])
        argc++;
    ck_assert_int_eq(sbxsh_arguments_parse(argc, forms[_i].argv, &arguments, &err),
                     forms[_i].result);
    if (forms[_i].result == 0 && argc == 3)
        ck_assert_ptr_eq(arguments.command, forms[_i].argv[2]); /* the very bytes */
}
END_TEST

Suite *shell_environment_suite(void)
{
    Suite *suite = suite_create("shell_environment");
    TCase *tcase = tcase_create("environment");
    tcase_add_test(tcase, identity_comes_from_policy);
    tcase_add_test(tcase, path_knows_the_home);
    tcase_add_test(tcase, never_taken_whatever_is_kept);
    tcase_add_test(tcase, entry_takes_few_and_by_form);
    tcase_add_test(tcase, terminal_names_hold_no_path);
    tcase_add_test(tcase, keep_deny_and_set);
    tcase_add_test(tcase, deny_env_beats_keep);
    tcase_add_test(tcase, nested_keeps_what_programs_set);
    tcase_add_test(tcase, many_variables_are_met);
    tcase_add_loop_test(tcase, names_match, 0, (int)(sizeof(patterns) / sizeof(*patterns)));
    tcase_add_loop_test(tcase, only_what_login_programs_say, 0,
                        (int)(sizeof(forms) / sizeof(*forms)));
    suite_add_tcase(suite, tcase);
    return suite;
}
