/* The bash that lives as long as the session, fed text by text. No jail is needed for that. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/sys.h"
#include "sbxsh/bash.h"

Suite *shell_bash_suite(void);

static const char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", NULL};

/* Runs texts one after another with `input` on standard input; what they print is in out. */
static int run_texts(const char *const *texts, const char *input, char *out, size_t size)
{
    char in_name[] = "/tmp/sbx-unit-in.XXXXXX", out_name[] = "/tmp/sbx-unit-out.XXXXXX";
    int in = mkstemp(in_name), to = mkstemp(out_name);
    ck_assert_int_ge(in, 0);
    ck_assert_int_ge(to, 0);
    (void)unlink(in_name);
    (void)unlink(out_name);
    ck_assert_int_eq(write(in, input, strlen(input)), (ssize_t)strlen(input));
    ck_assert_int_eq(lseek(in, 0, SEEK_SET), 0);
    ck_assert(dup2(in, 0) == 0 && dup2(to, 1) == 1 && dup2(to, 2) == 2);
    /* Those of the test runner: one of the tests below writes into all that bash holds. */
    ck_assert(!sbx_sys_close_range(3, 1023, SBX_CLOSE_RANGE_CLOEXEC));
    struct sbxsh shell = {.environment = (char **)(uintptr_t)environment};
    struct sbxsh_bash bash;
    struct sbx_err err = SBX_ERR_INIT;
    ck_assert_msg(!sbxsh_bash_start(&bash, &shell, &err), "%s", err.message);
    for (; *texts; texts++)
        sbxsh_bash_run(&bash, *texts, strlen(*texts));
    int status = sbxsh_bash_finish(&bash);
    ssize_t got = pread(to, out, size - 1, 0);
    ck_assert_int_ge(got, 0);
    out[got] = '\0';
    return status;
}

#define RUN(out, input, ...)                                                                       \
    run_texts((const char *const[]){__VA_ARGS__, NULL}, input, out, sizeof(out))

START_TEST(keeps_state_between_texts)
{
    char out[4096];
    int status = RUN(out, "", "x=5; cd /tmp; false", "echo \"$? $x $PWD\"",
                     "f() {\n echo \"f $1\"\n}", "f 'it'\\''s'", "exit 7", "echo never");
    ck_assert_str_eq(out, "1 5 /tmp\nf it's\n");
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}
END_TEST

START_TEST(quotes_cannot_leave_the_frame)
{
    char out[4096];
    (void)RUN(out, "", "echo ' 0<&57-", "'; echo in", "echo \"open", "cat <<E\nbody", "echo after");
    ck_assert_ptr_nonnull(strstr(out, "body\n"));
    ck_assert_ptr_nonnull(strstr(out, "\nafter\n"));
    ck_assert_ptr_null(strstr(out, "\nin\n"));
}
END_TEST

START_TEST(break_and_return_stay_where_they_are)
{
    char out[4096];
    int status = RUN(out, "", "break", "return 3", "echo on", "(exit 4)");
    ck_assert_ptr_nonnull(strstr(out, "on\n"));
    ck_assert_int_eq(WEXITSTATUS(status), 4);
}
END_TEST

START_TEST(standard_input_is_the_real_one)
{
    char out[4096];
    (void)RUN(out, "one\ntwo\nthree\n", "read a", "echo \"a=$a\"", "cat", "exec <&-; echo closed");
    ck_assert_str_eq(out, "a=one\ntwo\nthree\nclosed\n");
}
END_TEST

/* What a text runs MUST hold nothing of the channel. */
START_TEST(programs_inherit_no_channel)
{
    char out[4096];
    (void)RUN(out, "", "exec 3>&- 2>&1; ls -l /proc/self/fd | grep -c socket",
              "(ls -l /proc/self/fd; :) | grep -c socket", "ls -l /proc/self/fd | grep -c ' 57 '");
    ck_assert_str_eq(out, "0\n0\n0\n");
}
END_TEST

/* A child that writes into bash's input would run text that nobody judged. The twin: where bash
 * reads its script from a pipe, that is all it takes. */
START_TEST(input_cannot_be_written_by_children)
{
    static const char attack[] = "sh -c 'for f in /proc/$PPID/fd/*; do "
                                 "{ echo \"echo INJECTED\" >$f; } 2>/dev/null; done'";
    char out[8192], line[512];
    /* Not into what it prints: those descriptors are no input of bash. */
    (void)RUN(out, "", "exec 1>/dev/null 2>&1", attack, "echo done >/dev/null");
    ck_assert_ptr_null(strstr(out, "INJECTED"));
    (void)snprintf(
        line, sizeof(line),
        "cd /tmp; printf '%%s\\n' \"%s\" 'sleep 0.3' | bash /dev/fd/3 3<&0 </dev/null",
        "sh -c 'for f in /proc/\\$PPID/fd/255; do echo \\\"echo INJECTED\\\" >\\$f; done'");
    FILE *twin = popen(line, "r"); /* runs under sh */
    ck_assert_ptr_nonnull(twin);
    size_t got = fread(out, 1, sizeof(out) - 1, twin);
    out[got] = '\0';
    (void)pclose(twin);
    ck_assert_msg(strstr(out, "INJECTED"), "the attack does not work where it should: %s", out);
}
END_TEST

START_TEST(waits_for_the_text_to_end)
{
    char out[4096];
    (void)RUN(out, "", "sleep 0.2; echo first", "{ sleep 0.1; echo bg; } & wait", "echo last");
    ck_assert_str_eq(out, "first\nbg\nlast\n");
}
END_TEST

START_TEST(exec_becomes_the_session)
{
    char out[4096];
    int status = RUN(out, "rest\n", "exec cat", "echo never");
    ck_assert_str_eq(out, "rest\n");
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    status = RUN(out, "", "kill -TERM $$", "echo never");
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}
END_TEST

START_TEST(background_groups_do_not_hold_it_up)
{
    char out[4096];
    int status = RUN(out, "", "{ sleep 5; } >/dev/null 2>&1 &", "echo \"$?\"; exit 3");
    ck_assert_str_eq(out, "0\n");
    ck_assert_int_eq(WEXITSTATUS(status), 3);
}
END_TEST

START_TEST(line_numbers_are_bashs)
{
    char out[4096];
    (void)RUN(out, "", ":", "for i in 1\ndo :\ndone", "echo $LINENO", "echo $LINENO");
    ck_assert_str_eq(out, "5\n6\n");
}
END_TEST

START_TEST(large_texts_pass)
{
    enum { BYTES = 900000 };
    char *text = malloc(BYTES + 32), out[4096];
    ck_assert_ptr_nonnull(text);
    memcpy(text, "x='", 3);
    memset(text + 3, 'a', BYTES);
    memcpy(text + 3 + BYTES, "'", 2);
    (void)RUN(out, "", text, "echo ${#x}");
    ck_assert_str_eq(out, "900000\n");
    free(text);
}
END_TEST

Suite *shell_bash_suite(void)
{
    Suite *suite = suite_create("shell_bash");
    TCase *tcase = tcase_create("texts");
    tcase_set_timeout(tcase, 20);
    tcase_add_test(tcase, keeps_state_between_texts);
    tcase_add_test(tcase, quotes_cannot_leave_the_frame);
    tcase_add_test(tcase, break_and_return_stay_where_they_are);
    tcase_add_test(tcase, standard_input_is_the_real_one);
    tcase_add_test(tcase, programs_inherit_no_channel);
    tcase_add_test(tcase, input_cannot_be_written_by_children);
    tcase_add_test(tcase, waits_for_the_text_to_end);
    tcase_add_test(tcase, exec_becomes_the_session);
    tcase_add_test(tcase, background_groups_do_not_hold_it_up);
    tcase_add_test(tcase, line_numbers_are_bashs);
    tcase_add_test(tcase, large_texts_pass);
    suite_add_tcase(suite, tcase);
    return suite;
}
