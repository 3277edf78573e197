/* Completion of the word before the cursor, in a folder of its own. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "line/complete.h"

Suite *line_complete_suite(void);

#define TEMPLATE "/tmp/sbx-unit-complete.XXXXXX"

static char top[] = TEMPLATE;

static void make_file(const char *name, mode_t mode)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, mode);
    ck_assert_int_ge(fd, 0);
    (void)close(fd);
}

static void set_up(void)
{
    memcpy(top, TEMPLATE, sizeof(top));
    ck_assert_ptr_nonnull(mkdtemp(top));
    ck_assert_int_eq(chdir(top), 0);
    ck_assert(!mkdir("bin", 0700) && !mkdir("folder", 0700) && !mkdir("folder/deep", 0700));
    make_file("alpha.txt", 0600);
    make_file("alpine", 0600);
    make_file("with space", 0600);
    make_file("it's", 0600);
    make_file("evil\033[2Jname", 0600);
    make_file("evil\nname", 0600);
    make_file("folder/inner", 0600);
    make_file(".hidden", 0600);
    make_file("\xc3\xa4\xc3\xb6", 0600);
    make_file("\xc3\xa4\xc3\xbc", 0600);
    make_file("bin/zz-tool", 0700);
    make_file("bin/zz-text", 0600);
}

static void tear_down(void)
{
    char command[64];
    (void)snprintf(command, sizeof(command), "rm -rf %s", top);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(system(command), 0);
}

/* The line after a Tab; where names are only listed, the line and their number. */
static const char *tab(const char *line)
{
    static char result[8192];
    char path[128];
    struct sbx_completion completion;
    (void)snprintf(path, sizeof(path), "/nowhere:%s/bin", top);
    const struct sbx_complete_source source = {
        .home = top, .path = path, .words = "myfunc\nzz-f\n"};
    ck_assert_int_eq(sbx_complete(line, strlen(line), &source, &completion), 0);
    if (completion.text)
        (void)snprintf(result, sizeof(result), "%.*s%s", (int)completion.begin, line,
                       completion.text);
    else
        (void)snprintf(result, sizeof(result), "%s %zu", line, completion.count);
    sbx_completion_clear(&completion);
    return result;
}

START_TEST(paths)
{
    ck_assert_str_eq(tab("cat alpha"), "cat alpha.txt ");
    ck_assert_str_eq(tab("cat al"), "cat alp");
    ck_assert_str_eq(tab("cat alp"), "cat alp 2");
    ck_assert_str_eq(tab("cat fol"), "cat folder/");
    ck_assert_str_eq(tab("cat folder/i"), "cat folder/inner ");
    ck_assert_str_eq(tab("cat ./folder/d"), "cat ./folder/deep/");
    ck_assert_str_eq(tab("cat ~/folder/i"), "cat ~/folder/inner ");
    ck_assert_str_eq(tab("cat nothing"), "cat nothing 0");
    ck_assert_str_eq(tab("cat .h"), "cat .hidden ");
    ck_assert_str_eq(tab("x=alpha"), "x=alpha 0"); /* a command's name: none has that */
    ck_assert_str_eq(tab("ls --file=alpha"), "ls --file=alpha.txt ");
    ck_assert_str_eq(tab("echo hi >alpi"), "echo hi >alpine ");
    ck_assert_str_eq(tab("./fol"), "./folder/");
}
END_TEST

START_TEST(what_is_syntax_is_quoted)
{
    ck_assert_str_eq(tab("cat with"), "cat with\\ space ");
    ck_assert_str_eq(tab("cat with\\ s"), "cat with\\ space ");
    ck_assert_str_eq(tab("cat \"with"), "cat \"with space\" ");
    ck_assert_str_eq(tab("cat 'with s"), "cat 'with space' ");
    ck_assert_str_eq(tab("cat it"), "cat it\\'s ");
    ck_assert_str_eq(tab("cat 'it"), "cat 'it'\\''s' ");
    ck_assert_str_eq(tab("cat \"fol"), "cat \"folder/");
    ck_assert_str_eq(tab("cat \"folder/i"), "cat \"folder/inner\" ");
}
END_TEST

START_TEST(hostile_names_are_not_shown)
{
    ck_assert_str_eq(tab("cat evil"), "cat evil 0");
}
END_TEST

START_TEST(characters_stay_whole)
{
    ck_assert_str_eq(tab("cat \xc3\xa4"), "cat \xc3\xa4 2");
}
END_TEST

START_TEST(commands)
{
    ck_assert_str_eq(tab("zz-t"), "zz-tool "); /* what cannot be run is none */
    ck_assert_str_eq(tab("myf"), "myfunc ");
    ck_assert_str_eq(tab("zz-"), "zz- 2");
    ck_assert_str_eq(tab("expo"), "export ");
    ck_assert_str_eq(tab("cat x | zz-t"), "cat x | zz-tool ");
    ck_assert_str_eq(tab("if zz-t"), "if zz-tool ");
    ck_assert_str_eq(tab("A=1 zz-t"), "A=1 zz-tool ");
    ck_assert_str_eq(tab("echo $(zz-t"), "echo $(zz-tool ");
    ck_assert_str_eq(tab("x; zz-t"), "x; zz-tool ");
    ck_assert_str_eq(tab("cat zz-t"), "cat zz-t 0");
    ck_assert_str_eq(tab("echo a >zz-t"), "echo a >zz-t 0");
}
END_TEST

START_TEST(an_endless_word_is_left_alone)
{
    char *line = malloc(10001);
    ck_assert_ptr_nonnull(line);
    memset(line, 'a', 10000);
    line[10000] = '\0';
    struct sbx_completion completion;
    const struct sbx_complete_source source = {.home = top, .path = "", .words = ""};
    ck_assert_int_eq(sbx_complete(line, 10000, &source, &completion), 0);
    ck_assert(!completion.text && !completion.count);
    sbx_completion_clear(&completion);
    free(line);
}
END_TEST

START_TEST(many_names_are_bounded)
{
    char name[32];
    for (int i = 0; i < SBX_COMPLETE_MAX + 50; i++) {
        (void)snprintf(name, sizeof(name), "folder/m%d", i);
        make_file(name, 0600);
    }
    struct sbx_completion completion;
    const struct sbx_complete_source source = {.home = top, .path = "", .words = ""};
    ck_assert_int_eq(sbx_complete("cat folder/m", 12, &source, &completion), 0);
    ck_assert_uint_eq(completion.count, SBX_COMPLETE_MAX);
    sbx_completion_clear(&completion);
}
END_TEST

Suite *line_complete_suite(void)
{
    Suite *suite = suite_create("line_complete");
    TCase *tc = tcase_create("line_complete");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 60); /* thousands of files, on a busy machine */
    tcase_add_test(tc, paths);
    tcase_add_test(tc, what_is_syntax_is_quoted);
    tcase_add_test(tc, hostile_names_are_not_shown);
    tcase_add_test(tc, characters_stay_whole);
    tcase_add_test(tc, commands);
    tcase_add_test(tc, an_endless_word_is_left_alone);
    tcase_add_test(tc, many_names_are_bounded);
    suite_add_tcase(suite, tc);
    return suite;
}
