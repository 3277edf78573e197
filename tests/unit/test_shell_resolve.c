/* Where a path leads by the kernel's word. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sbxsh/sbxsh.h"

Suite *shell_resolve_suite(void);

/* clang-format off */
static const struct {
    const char *path, *leads_to; /* below the test's folder where they do not begin with a slash */
} rows[] = {
    {"dir/file",            "dir/file"},
    {"dir/../dir/./file",   "dir/file"},
    {"dir/absent/deep",     "dir/absent/deep"},
    {"to_dir/file",         "dir/file"},
    {"to_dir/absent",       "dir/absent"},
    {"to_dir/../x",         "x"},         /* the kernel's "..": of dir, not of the link */
    {"to_up/passwd",        "/etc/passwd"},
    {"dangling",            "/absent/target"},
    {"dangling/deep",       "/absent/target/deep"},
    {"dangling_beside",     "dir/absent"},
    {"chain",               "dir/file"},
    {"file_link/under",     "dir/file/under"},
    {"/proc/self/root/etc", "/etc"},
    {"/",                   "/"},
    {"/absent_here/x",      "/absent_here/x"},
};
/* clang-format on */

static char folder[64]; /* of this test process */

static void make(void)
{
    char start[] = "/tmp/sbx-unit-resolve.XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(start));
    (void)snprintf(folder, sizeof(folder), "%s", start);
    ck_assert(!chdir(folder) && !mkdir("dir", 0755));
    FILE *file = fopen("dir/file", "we");
    ck_assert_ptr_nonnull(file);
    (void)fclose(file);
    ck_assert(!symlink("dir", "to_dir") && !symlink("/etc", "to_up") &&
              !symlink("/absent/target", "dangling") && !symlink("dir/absent", "dangling_beside") &&
              !symlink("to_dir/file", "chain") && !symlink("dir/file", "file_link") &&
              !symlink("loop", "loop"));
}

static void clean(void)
{
    static const char *const names[] = {"dir/file",        "to_dir", "to_up",     "dangling",
                                        "dangling_beside", "chain",  "file_link", "loop"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        (void)unlink(names[i]);
    (void)rmdir("dir");
    ck_assert(!chdir("/"));
    (void)rmdir(folder);
}

static void absolute(char *out, size_t size, const char *path)
{
    (void)snprintf(out, size, "%s%s%s", *path == '/' ? "" : folder, *path == '/' ? "" : "/", path);
}

START_TEST(leads_where_the_kernel_goes)
{
    char path[256], expected[256], out[256];
    absolute(path, sizeof(path), rows[_i].path);
    absolute(expected, sizeof(expected), rows[_i].leads_to);
    ck_assert_int_eq(sbxsh_resolve(NULL, path, out, sizeof(out)), 0);
    ck_assert_str_eq(out, expected);
}
END_TEST

START_TEST(cannot_tell)
{
    char path[256], out[256], small[8];
    absolute(path, sizeof(path), "loop");
    ck_assert_int_eq(sbxsh_resolve(NULL, path, out, sizeof(out)), -1);
    absolute(path, sizeof(path), "dir/file");
    ck_assert_int_eq(sbxsh_resolve(NULL, path, small, sizeof(small)), -1);
    ck_assert_int_eq(sbxsh_resolve(NULL, "relative", out, sizeof(out)), -1);
    char *longest = malloc(10000);
    ck_assert_ptr_nonnull(longest);
    memset(longest, '/', 9999);
    longest[9999] = '\0';
    ck_assert_int_eq(sbxsh_resolve(NULL, longest, out, sizeof(out)), -1);
    free(longest);
}
END_TEST

Suite *shell_resolve_suite(void)
{
    Suite *suite = suite_create("shell_resolve");
    TCase *tcase = tcase_create("paths");
    tcase_add_checked_fixture(tcase, make, clean);
    tcase_add_loop_test(tcase, leads_where_the_kernel_goes, 0, (int)(sizeof(rows) / sizeof(*rows)));
    tcase_add_test(tcase, cannot_tell);
    suite_add_tcase(suite, tcase);
    return suite;
}
