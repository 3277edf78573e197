/* What an interactive bash says of itself. No jail and no terminal are needed for that. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sbxsh/bash.h"

Suite *shell_state_suite(void);

static const char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=/", NULL};

#define RECORD(prompt, path, functions)                                                            \
    "\0\1sbx\0" prompt "\0\0" path "\0o\0" functions "\0\0"                                        \
    "0\0"

START_TEST(the_last_whole_record_counts)
{
    struct sbxsh_state state;
    static const char one[] = RECORD("p", "/bin", "");
    static const char two[] = "noise" RECORD("p", "/bin", "") "x" RECORD("q", "", "f () \n") "y";
    static const char cut[] = RECORD("p", "/bin", "") "\0\1sbx\0q\0r\0/x\0o\0f () ";
    static const char none[] = "\0\1sbx\0q\0r\0/x\0o\0f () ";
    ck_assert_int_eq(sbxsh_state_find(one, sizeof(one) - 1, &state), 0);
    ck_assert_str_eq(state.path, "/bin");
    ck_assert_int_eq(sbxsh_state_find(two, sizeof(two) - 1, &state), 0);
    ck_assert_str_eq(state.prompt, "q");
    ck_assert_str_eq(state.path, "");
    ck_assert_str_eq(state.functions, "f () \n");
    ck_assert_int_eq(sbxsh_state_find(cut, sizeof(cut) - 1, &state), 0);
    ck_assert_str_eq(state.prompt, "p");
    ck_assert_int_eq(sbxsh_state_find(none, sizeof(none) - 1, &state), -1);
    static const char aside[] = "\0\1sbx\0\0a\0/x\0o\0\0\0"
                                "0\0";
    ck_assert_int_eq(sbxsh_state_find(aside, sizeof(aside) - 1, &state), 0);
    ck_assert_str_eq(state.prompt, "a");
    ck_assert_int_eq(sbxsh_state_find(NULL, 0, &state), -1);
    for (size_t len = 0; len < sizeof(one) - 1; len++)
        ck_assert_int_eq(sbxsh_state_find(one, len, &state), -1);
}
END_TEST

START_TEST(names_of_functions)
{
    char names[64];
    struct sbxsh_state state = {.aliases = "",
                                .functions = "f () \n{ \n    g () \n    { \n        :\n    }\n}\n"
                                             "long_name () \n{ \n    echo 'x () '\n}\n"};
    sbxsh_state_names(&state, names, sizeof(names));
    ck_assert_str_eq(names, "f\nlong_name\n");
    sbxsh_state_names(&state, names, 8);
    ck_assert_str_eq(names, "f\n");
    state.functions = "";
    sbxsh_state_names(&state, names, sizeof(names));
    ck_assert_str_eq(names, "");
    state.aliases = "alias ll='ls -l'\nalias two='a\nb'\n";
    sbxsh_state_names(&state, names, sizeof(names));
    ck_assert_str_eq(names, "ll\ntwo\n");
}
END_TEST

/* An interactive bash without a terminal: it complains and does the rest. */
static void start(struct sbxsh_bash *bash)
{
    static struct sbxsh shell;
    struct sbx_err err = SBX_ERR_INIT;
    int null = open("/dev/null", O_RDWR);
    ck_assert(null >= 0 && dup2(null, 0) == 0 && dup2(null, 1) == 1 && dup2(null, 2) == 2);
    shell = (struct sbxsh){.environment = (char **)(uintptr_t)environment, .is_interactive = true};
    ck_assert_msg(!sbxsh_bash_start(bash, &shell, &err), "%s", err.message);
}

static void run(struct sbxsh_bash *bash, const char *text)
{
    sbxsh_bash_run(bash, text, strlen(text));
}

static struct sbxsh_state ask(struct sbxsh_bash *bash)
{
    struct sbxsh_state state = {0};
    ck_assert_int_eq(sbxsh_bash_state(bash, &state), 0);
    return state;
}

static int status_of(struct sbxsh_bash *bash, const char *text)
{
    run(bash, text);
    return WEXITSTATUS(sbxsh_bash_finish(bash));
}

START_TEST(bash_tells_prompt_path_and_functions)
{
    struct sbxsh_bash bash;
    start(&bash);
    ck_assert_str_eq(ask(&bash).prompt, "");
    ck_assert_str_eq(ask(&bash).path, "/usr/bin:/bin");
    ck_assert_str_eq(ask(&bash).functions, "");
    run(&bash, "PS1='a\\nb $((1+2)) $? '; PATH=$PATH:/x; f() { echo hi; }; (exit 5)");
    ck_assert_str_eq(ask(&bash).prompt, "a\nb 3 5 ");
    ck_assert_str_eq(ask(&bash).path, "/usr/bin:/bin:/x");
    ck_assert_str_eq(ask(&bash).functions, "f () \n{ \n    echo hi\n}\n");
    run(&bash, "x=$? y=$PS1");
    ck_assert_int_eq(status_of(&bash, "[[ $x = 5 && $y = 'a\\nb '* ]]; exit"), 0);
}
END_TEST

static enum sbx_alias_mode mode_of(struct sbxsh_bash *bash, const char **text)
{
    const struct sbxsh_state state = ask(bash);
    return sbxsh_state_aliases(&state, text);
}

START_TEST(the_hook_comes_back)
{
    struct sbxsh_bash bash;
    start(&bash);
    run(&bash, "unset PROMPT_COMMAND; PS1='p '; alias x=y; (exit 6)");
    ck_assert_str_eq(ask(&bash).prompt, "p ");
    ck_assert_str_eq(ask(&bash).aliases, "alias x='y'\n");
    ck_assert_int_eq(status_of(&bash, "[[ $? = 6 ]]; exit"), 0);
}
END_TEST

START_TEST(bash_tells_its_aliases)
{
    struct sbxsh_bash bash;
    const char *text;
    start(&bash);
    ck_assert_int_eq(mode_of(&bash, &text), SBX_ALIASES_ON);
    ck_assert_str_eq(text, "");
    run(&bash, "alias ll='ls -l' a=\"it's\"; (exit 7)");
    ck_assert_int_eq(mode_of(&bash, &text), SBX_ALIASES_ON);
    ck_assert_str_eq(text, "alias a='it'\\''s'\nalias ll='ls -l'\n");
    run(&bash, "x=$?; alias seven='[[ $x = 7 ]]'");
    run(&bash, "seven || exit 1");
    run(&bash, "shopt -u expand_aliases");
    ck_assert_int_eq(mode_of(&bash, &text), SBX_ALIASES_OFF);
    run(&bash, "shopt -s expand_aliases; unalias -a");
    ck_assert_int_eq(mode_of(&bash, &text), SBX_ALIASES_ON);
    ck_assert_str_eq(text, "");
    /* Nothing of ours is read as an alias. */
    run(&bash, "alias eval=false builtin=false exit=false printf=false declare=false alias=false");
    ck_assert_int_eq(mode_of(&bash, &text), SBX_ALIASES_ON);
    run(&bash, "x=5");
    sbxsh_bash_fail(&bash, 3);
    run(&bash, "[[ $? = 3 && $x = 5 ]] || kill $$");
    (void)ask(&bash);
    ck_assert_int_eq(status_of(&bash, "\\exit 4"), 4);
}
END_TEST

START_TEST(comments_stay_comments)
{
    struct sbxsh_bash bash;
    start(&bash);
    run(&bash, "shopt -u interactive_comments; (exit 6)");
    (void)ask(&bash);
    run(&bash, "x=$?; : # ; exit 1");
    ck_assert_int_eq(status_of(&bash, "[[ $x = 6 ]]; exit"), 0);
}
END_TEST

START_TEST(aliases_that_cannot_be_known_are_switched_off)
{
    static const char *const texts[] = {"set -o posix",
                                        "enable -n alias",
                                        "alias {=false [[=false",
                                        "POSIXLY_CORRECT=1",
                                        "alias big=\"$(printf '%070000d' 0)\"",
                                        "for ((i = 0; i < 5000; i++)); do alias \"a$i=b\"; done"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct sbxsh_bash bash;
        const char *text;
        start(&bash);
        run(&bash, texts[i]);
        ck_assert_msg(mode_of(&bash, &text) == SBX_ALIASES_OFF, "%s", texts[i]);
        ck_assert(bash.lost_aliases);
        ck_assert_int_eq(status_of(&bash, "shopt -q expand_aliases; exit"), 1);
    }
}
END_TEST

/* Whoever finds the socket may write there what he likes, and no amount of it holds the session up. */
START_TEST(a_flood_is_taken_and_forgotten)
{
    struct sbxsh_bash bash;
    struct sbxsh_state state;
    start(&bash);
    run(&bash, "PROMPT_COMMAND[0]='head -c 2000000 /dev/zero >&0; unset PROMPT_COMMAND[0]'");
    ck_assert_uint_le(bash.said_len, 512 * 1024);
    run(&bash, ":");
    ck_assert_int_eq(sbxsh_bash_state(&bash, &state), 0);
    ck_assert_int_eq(status_of(&bash, "exit 3"), 3);
}
END_TEST

START_TEST(readonly_prompts_and_strict_modes_do_no_harm)
{
    struct sbxsh_bash bash;
    start(&bash);
    run(&bash, "readonly PS1=x; set -eu; trap 'echo dbg' DEBUG; trap 'exit 9' ERR");
    (void)ask(&bash);
    run(&bash, ":");
    ck_assert_str_eq(ask(&bash).path, "/usr/bin:/bin");
    ck_assert_int_eq(status_of(&bash, "exit 4"), 4);
}
END_TEST

/* A SIGINT makes an interactive bash forget the line that it is reading: what is left of a frame must
 * not be run. */
START_TEST(an_interrupted_frame_runs_nothing)
{
    char path[] = "/tmp/sbx-unit-cut.XXXXXX", text[65536];
    int fd = mkstemp(path);
    struct sbxsh_bash bash;
    ck_assert_int_ge(fd, 0);
    start(&bash);
    (void)ask(&bash);
    (void)snprintf(text, sizeof(text), "out=%s; (while kill -INT $$; do sleep 0.002; done) &",
                   path);
    run(&bash, text);
    size_t used = (size_t)snprintf(text, sizeof(text), ": '");
    while (used + 64 < sizeof(text))
        used += (size_t)snprintf(text + used, sizeof(text) - used, "\necho cut >>%s\n", path);
    (void)snprintf(text + used, sizeof(text) - used, "'");
    for (int i = 0; i < 20; i++)
        run(&bash, text);
    ck_assert_int_eq(lseek(fd, 0, SEEK_END), 0);
    struct sbxsh_state state;
    run(&bash, "kill %1; wait");
    for (int tries = 0; tries < 5; tries++) { /* those that the loop sent until it ended */
        (void)sbxsh_bash_state(&bash, &state);
        run(&bash, "kill %1 2>/dev/null; wait; x=5");
    }
    ck_assert_int_eq(status_of(&bash, "exit $((x + 1))"), 6);
    (void)unlink(path);
}
END_TEST

Suite *shell_state_suite(void)
{
    Suite *suite = suite_create("shell_state");
    TCase *tc = tcase_create("shell_state");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, the_last_whole_record_counts);
    tcase_add_test(tc, names_of_functions);
    tcase_add_test(tc, bash_tells_prompt_path_and_functions);
    tcase_add_test(tc, the_hook_comes_back);
    tcase_add_test(tc, bash_tells_its_aliases);
    tcase_add_test(tc, comments_stay_comments);
    tcase_add_test(tc, aliases_that_cannot_be_known_are_switched_off);
    tcase_add_test(tc, a_flood_is_taken_and_forgotten);
    tcase_add_test(tc, an_interrupted_frame_runs_nothing);
    tcase_add_test(tc, readonly_prompts_and_strict_modes_do_no_harm);
    suite_add_tcase(suite, tc);
    return suite;
}
