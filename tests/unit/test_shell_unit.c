/* Gathering one command line by line: where it is complete, and what it costs to find out. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sbxsh/unit.h"

Suite *shell_unit_suite(void);

/* Lines in order; all but the last leave the command open. */
/* clang-format off */
static const struct {
    enum sbxsh_unit_state last;
    const char *lines[7];
} rows[] = {
    {SBXSH_UNIT_COMPLETE, {"echo a; echo b"}},
    {SBXSH_UNIT_COMPLETE, {"if true", "then", "  echo x", "fi"}},
    {SBXSH_UNIT_COMPLETE, {"f()", "{", "echo", "}"}},
    {SBXSH_UNIT_COMPLETE, {"true &&", "echo"}},
    {SBXSH_UNIT_COMPLETE, {"true |", "", "# why not", "cat"}},
    {SBXSH_UNIT_COMPLETE, {"echo a \\", "b"}},
    {SBXSH_UNIT_COMPLETE, {"echo a \\", "b \\", "c"}},
    {SBXSH_UNIT_COMPLETE, {"echo 'a", "plain", "b'"}},
    {SBXSH_UNIT_COMPLETE, {"echo \"a", "b\" &&", "c"}},
    {SBXSH_UNIT_COMPLETE, {"cat <<E", "fi", "done }", "E"}},
    {SBXSH_UNIT_COMPLETE, {"cat <<'E F'", "a", "E F"}},
    {SBXSH_UNIT_COMPLETE, {"cat <<-E", "\ta", "\tE"}},
    {SBXSH_UNIT_COMPLETE, {"cat <<A <<B", "a", "A", "b", "B"}},
    {SBXSH_UNIT_COMPLETE, {"while read x; do cat <<E", "$x", "E", "done"}},
    {SBXSH_UNIT_COMPLETE, {"cat <<E |", "body", "E", "tr a b"}},
    {SBXSH_UNIT_COMPLETE, {"case x in", "x) echo;;", "esac"}},
    {SBXSH_UNIT_COMPLETE, {"a=(1", "2", "3)"}},
    {SBXSH_UNIT_COMPLETE, {"echo $(", "date", ")"}},
    {SBXSH_UNIT_COMPLETE, {"[[ a &&", "b ]]"}},
    {SBXSH_UNIT_COMPLETE, {"echo ${x:-", "y}"}},
    {SBXSH_UNIT_COMPLETE, {"for x", "in a b", "do", "echo", "done"}},
    {SBXSH_UNIT_BLANK,    {""}},
    {SBXSH_UNIT_BLANK,    {"  # a comment with ' and ("}},
    {SBXSH_UNIT_SYNTAX,   {")"}},
    {SBXSH_UNIT_SYNTAX,   {"if true; then", "echo )"}},
    {SBXSH_UNIT_SYNTAX,   {"fi"}},
};
/* clang-format on */

START_TEST(complete_where_bash_runs_it)
{
    struct sbxsh_unit unit = {0};
    const char *const *lines = rows[_i].lines;
    for (; *lines; lines++) {
        enum sbxsh_unit_state state = sbxsh_unit_add(&unit, *lines, strlen(*lines), false);
        ck_assert_msg(state == (lines[1] ? SBXSH_UNIT_MORE : rows[_i].last), "at '%s': %d", *lines,
                      (int)state);
    }
    sbxsh_unit_clear(&unit);
}
END_TEST

START_TEST(end_of_input)
{
    struct sbxsh_unit unit = {0};
    ck_assert_int_eq(sbxsh_unit_end(&unit), SBXSH_UNIT_BLANK);
    ck_assert_int_eq(sbxsh_unit_add(&unit, "cat <<E", 7, false), SBXSH_UNIT_MORE);
    ck_assert_int_eq(sbxsh_unit_add(&unit, "body", 4, true), SBXSH_UNIT_COMPLETE); /* bash warns */
    ck_assert_str_eq(unit.text, "cat <<E\nbody");
    sbxsh_unit_reset(&unit);
    ck_assert_int_eq(sbxsh_unit_add(&unit, "echo 'a", 7, false), SBXSH_UNIT_MORE);
    ck_assert_int_eq(sbxsh_unit_end(&unit), SBXSH_UNIT_SYNTAX);
    sbxsh_unit_reset(&unit);
    ck_assert_int_eq(sbxsh_unit_add(&unit, "ec\0ho", 5, true), SBXSH_UNIT_COMPLETE);
    ck_assert_str_eq(unit.text, "echo"); /* as bash drops it */
    sbxsh_unit_clear(&unit);
}
END_TEST

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Adds `line` until the unit is more than open; returns what it is then. */
static enum sbxsh_unit_state repeat(struct sbxsh_unit *unit, const char *line, size_t times)
{
    enum sbxsh_unit_state state = SBXSH_UNIT_MORE;
    for (size_t i = 0; i < times && state == SBXSH_UNIT_MORE; i++)
        state = sbxsh_unit_add(unit, line, strlen(line), false);
    return state;
}

START_TEST(long_commands_are_bounded)
{
    struct sbxsh_unit unit = {0};
    double start = seconds();
    /* A here-document of 20,000 lines is parsed a few times, not 20,000 times. */
    ck_assert_int_eq(sbxsh_unit_add(&unit, "cat <<END", 9, false), SBXSH_UNIT_MORE);
    ck_assert_int_eq(repeat(&unit, "echo \"$x\" # fi } )", 20000), SBXSH_UNIT_MORE);
    ck_assert_int_eq(sbxsh_unit_add(&unit, "END", 3, false), SBXSH_UNIT_COMPLETE);
    ck_assert_uint_lt(unit.parsed_bytes, 4 * unit.len);
    sbxsh_unit_reset(&unit);
    /* A function of 1,000 lines that each might end it. */
    ck_assert_int_eq(sbxsh_unit_add(&unit, "f() {", 5, false), SBXSH_UNIT_MORE);
    ck_assert_int_eq(repeat(&unit, "echo \"${x}\"", 1000), SBXSH_UNIT_MORE);
    ck_assert_int_eq(sbxsh_unit_add(&unit, "}", 1, false), SBXSH_UNIT_COMPLETE);
    sbxsh_unit_reset(&unit);
    /* Without end: refused after a fixed amount of work. */
    ck_assert_int_eq(sbxsh_unit_add(&unit, "f() {", 5, false), SBXSH_UNIT_MORE);
    ck_assert_int_eq(repeat(&unit, "echo \"${x}\"", 100000), SBXSH_UNIT_LIMIT);
    sbxsh_unit_reset(&unit);
    ck_assert_int_eq(sbxsh_unit_add(&unit, "echo '", 6, false), SBXSH_UNIT_MORE);
    ck_assert_int_eq(repeat(&unit, "a line of text in quotes", 100000), SBXSH_UNIT_LIMIT);
    ck_assert_double_lt(seconds() - start, 15);
    sbxsh_unit_clear(&unit);
}
END_TEST

Suite *shell_unit_suite(void)
{
    Suite *suite = suite_create("shell_unit");
    TCase *tcase = tcase_create("lines");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, complete_where_bash_runs_it, 0, (int)(sizeof(rows) / sizeof(*rows)));
    tcase_add_test(tcase, end_of_input);
    tcase_add_test(tcase, long_commands_are_bounded);
    suite_add_tcase(suite, tcase);
    return suite;
}
