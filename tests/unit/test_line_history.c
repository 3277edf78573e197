/* The history file of interactive sessions. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "line/history.h"

Suite *line_history_suite(void);

#define TEMPLATE "/tmp/sbx-unit-home.XXXXXX"

static char home[] = TEMPLATE;

static void set_up(void)
{
    memcpy(home, TEMPLATE, sizeof(home));
    ck_assert_ptr_nonnull(mkdtemp(home));
}

static void tear_down(void)
{
    char command[64];
    (void)snprintf(command, sizeof(command), "rm -rf %s", home);
    ck_assert_int_eq(system(command), 0);
}

static const char *below(const char *name)
{
    static char path[128];
    (void)snprintf(path, sizeof(path), "%s/%s", home, name);
    return path;
}

struct seen {
    size_t count;
    char first[64], last[64];
};

static void see(void *data, const char *line)
{
    struct seen *seen = data;
    if (!seen->count++)
        (void)snprintf(seen->first, sizeof(seen->first), "%s", line);
    (void)snprintf(seen->last, sizeof(seen->last), "%s", line);
}

static struct seen load(int folder)
{
    struct seen seen = {0};
    sbx_history_load(folder, see, &seen);
    return seen;
}

static int open_in_cache(void)
{
    ck_assert_int_eq(mkdir(below(".cache"), 0700), 0);
    int folder = sbx_history_open(home);
    ck_assert_int_ge(folder, 0);
    return folder;
}

START_TEST(it_is_for_the_account_alone)
{
    struct stat st;
    (void)umask(0);
    int folder = open_in_cache();
    sbx_history_add(folder, "echo");
    ck_assert_int_eq(stat(below(".cache/sbx"), &st), 0);
    ck_assert_uint_eq(st.st_mode & 07777, 0700);
    ck_assert_int_eq(stat(below(".cache/sbx/history"), &st), 0);
    ck_assert_uint_eq(st.st_mode & 07777, 0600);
    ck_assert_int_eq(chmod(below(".cache/sbx/history"), 0644), 0);
    sbx_history_add(folder, "echo");
    ck_assert_int_eq(stat(below(".cache/sbx/history"), &st), 0);
    ck_assert_uint_eq(st.st_mode & 07777, 0600);
}
END_TEST

START_TEST(the_state_folder_comes_first)
{
    ck_assert_int_eq(mkdir(below(".local"), 0700), 0);
    ck_assert_int_eq(mkdir(below(".local/state"), 0700), 0);
    (void)open_in_cache();
    ck_assert_int_eq(access(below(".local/state/sbx/history"), F_OK), 0);
    ck_assert_int_ne(access(below(".cache/sbx"), F_OK), 0);
}
END_TEST

START_TEST(nothing_is_made_where_there_is_no_folder)
{
    ck_assert_int_eq(sbx_history_open(home), -1);
    ck_assert_int_eq(rmdir(home), 0);
    ck_assert_int_eq(mkdir(home, 0700), 0);
}
END_TEST

START_TEST(links_are_not_followed)
{
    int folder = open_in_cache();
    ck_assert_int_eq(unlink(below(".cache/sbx/history")), 0);
    ck_assert_int_eq(symlink("../../victim", below(".cache/sbx/history")), 0);
    sbx_history_add(folder, "echo");
    ck_assert_int_ne(access(below("victim"), F_OK), 0);
    ck_assert_uint_eq(load(folder).count, 0);
    ck_assert_int_eq(unlink(below(".cache/sbx/history")), 0);
    ck_assert_int_eq(mkfifo(below(".cache/sbx/history"), 0600), 0);
    sbx_history_add(folder, "echo"); /* and does not wait for a reader */
    ck_assert_uint_eq(load(folder).count, 0);
}
END_TEST

START_TEST(lines_come_back_in_order)
{
    int folder = open_in_cache();
    sbx_history_add(folder, "one");
    sbx_history_add(folder, "two two");
    struct seen seen = load(folder);
    ck_assert_uint_eq(seen.count, 2);
    ck_assert_str_eq(seen.first, "one");
    ck_assert_str_eq(seen.last, "two two");
}
END_TEST

START_TEST(some_lines_are_not_kept)
{
    char *line = malloc(SBX_HISTORY_LINE_BYTES + 2);
    ck_assert_ptr_nonnull(line);
    memset(line, 'x', SBX_HISTORY_LINE_BYTES + 1);
    line[SBX_HISTORY_LINE_BYTES + 1] = '\0';
    ck_assert(!sbx_history_keeps(line));
    line[SBX_HISTORY_LINE_BYTES] = '\0';
    ck_assert(sbx_history_keeps(line));
    free(line);
    ck_assert(!sbx_history_keeps(""));
    ck_assert(!sbx_history_keeps(" echo secret"));
    ck_assert(!sbx_history_keeps("\t \t"));
    ck_assert(!sbx_history_keeps("echo \033[2J"));
    ck_assert(!sbx_history_keeps("one\ntwo"));
    ck_assert(sbx_history_keeps("echo\ttab"));
}
END_TEST

START_TEST(it_is_bounded_in_lines)
{
    char line[64];
    struct stat before, after;
    int folder = open_in_cache();
    for (int i = 0; i < SBX_HISTORY_LINES + 500; i++) {
        (void)snprintf(line, sizeof(line), "echo %d", i);
        sbx_history_add(folder, line);
    }
    ck_assert_int_eq(stat(below(".cache/sbx/history"), &before), 0);
    struct seen seen = load(folder);
    ck_assert_uint_eq(seen.count, SBX_HISTORY_LINES);
    ck_assert_str_eq(seen.first, "echo 500");
    ck_assert_str_eq(seen.last, line);
    ck_assert_int_eq(stat(below(".cache/sbx/history"), &after), 0); /* cut by loading it */
    ck_assert_int_lt(after.st_size, before.st_size);
    ck_assert_uint_eq(load(folder).count, SBX_HISTORY_LINES);
}
END_TEST

START_TEST(it_is_bounded_in_bytes)
{
    char line[SBX_HISTORY_LINE_BYTES + 1];
    struct stat st;
    int folder = open_in_cache();
    memset(line, 'x', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\0';
    for (size_t i = 0; i < 200; i++) {
        sbx_history_add(folder, line);
        ck_assert_int_eq(stat(below(".cache/sbx/history"), &st), 0);
        ck_assert_uint_le((size_t)st.st_size, SBX_HISTORY_FILE_BYTES + sizeof(line));
    }
    sbx_history_add(folder, "last");
    ck_assert_str_eq(load(folder).last, "last");
}
END_TEST

START_TEST(what_others_wrote_is_looked_at_too)
{
    int folder = open_in_cache();
    int fd = open(below(".cache/sbx/history"), O_WRONLY);
    static const char text[] = "good\n\033[2Jbad\n hidden\nb\0d\nend";
    ck_assert_int_eq(write(fd, text, sizeof(text) - 1), (ssize_t)sizeof(text) - 1);
    struct seen seen = load(folder);
    ck_assert_uint_eq(seen.count, 2);
    ck_assert_str_eq(seen.first, "good");
    ck_assert_str_eq(seen.last, "end");
}
END_TEST

Suite *line_history_suite(void)
{
    Suite *suite = suite_create("line_history");
    TCase *tc = tcase_create("line_history");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 60); /* thousands of writes, on a busy machine */
    tcase_add_test(tc, it_is_for_the_account_alone);
    tcase_add_test(tc, the_state_folder_comes_first);
    tcase_add_test(tc, nothing_is_made_where_there_is_no_folder);
    tcase_add_test(tc, links_are_not_followed);
    tcase_add_test(tc, lines_come_back_in_order);
    tcase_add_test(tc, some_lines_are_not_kept);
    tcase_add_test(tc, it_is_bounded_in_lines);
    tcase_add_test(tc, it_is_bounded_in_bytes);
    tcase_add_test(tc, what_others_wrote_is_looked_at_too);
    suite_add_tcase(suite, tc);
    return suite;
}
