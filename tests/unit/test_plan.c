/* The plan of a view says what the decision function says, in an order that can be carried out. */
#include <check.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/globs.h"
#include "jail/plan.h"
#include "policy/cleanup.h"
#include "policy_text.h"

Suite *plan_suite(void);

static struct sbx_policy *policy;
static struct sbx_plan plan;

static void make(const char *text, const char *const *sockets)
{
    struct sbx_err err = SBX_ERR_INIT;
    const struct sbx_plan_input input = {
        .session_source = "/run/sbx/jails/1000/session",
        .passwd_source = "/run/sbx/jails/1000/passwd",
        .group_source = "/run/sbx/jails/1000/group",
        .sockets = sockets,
        .policy = policy = policy_of(text),
    };
    ck_assert_msg(!sbx_plan_build(&plan, &input, &err), "%s", err.message);
}

static void drop(void)
{
    sbx_plan_free(&plan);
    free(policy);
    policy = NULL;
}

/* Index of the last step for a path, or -1. */
static int find(const char *path)
{
    for (int i = (int)plan.count - 1; i >= 0; i--)
        if (!strcmp(plan.steps[i].path, path))
            return i;
    return -1;
}

static const struct sbx_step *step(const char *path)
{
    int at = find(path);
    ck_assert_msg(at >= 0, "no step for %s", path);
    return &plan.steps[at];
}

START_TEST(home_is_read_only_and_the_workspace_is_not)
{
    make("[sandbox]\nenabled = yes\n", NULL);
    ck_assert_int_eq((int)step("/home/agent")->kind, SBX_STEP_BIND);
    ck_assert(!(step("/home/agent")->flags & SBX_STEP_WRITABLE));
    ck_assert(step("/home/agent")->flags & SBX_STEP_HOME);
    ck_assert(step("/home/agent/work")->flags & SBX_STEP_WRITABLE);
    ck_assert(step("/home/agent/work")->flags & SBX_STEP_STRICT);
    ck_assert_int_gt(find("/home/agent/work"), find("/home/agent"));
    ck_assert_int_eq((int)step("/home/agent/.ssh")->kind, SBX_STEP_MASK);
}
END_TEST

START_TEST(root_is_frozen_last)
{
    make("[sandbox]\nenabled = yes\n", NULL);
    ck_assert_int_eq((int)plan.steps[plan.count - 1].kind, SBX_STEP_FREEZE);
    ck_assert_str_eq(plan.steps[plan.count - 1].path, "/");
}
END_TEST

/* mv prod p2; mkdir prod: every directory on the way is a mount point of its own. */
START_TEST(parents_of_a_protected_path_are_pinned)
{
    make("[filesystem]\ndeny_write = ~/work/a/prod/config.yml\n", NULL);
    ck_assert_int_eq((int)step("/home/agent/work/a")->kind, SBX_STEP_SELF);
    ck_assert_int_eq((int)step("/home/agent/work/a/prod")->kind, SBX_STEP_SELF);
    ck_assert(step("/home/agent/work/a")->flags & SBX_STEP_WRITABLE);
    ck_assert(!(step("/home/agent/work/a/prod/config.yml")->flags & SBX_STEP_WRITABLE));
    ck_assert_int_lt(find("/home/agent/work/a"), find("/home/agent/work/a/prod"));
    ck_assert_int_lt(find("/home/agent/work/a/prod"), find("/home/agent/work/a/prod/config.yml"));
}
END_TEST

START_TEST(a_mask_with_an_opening_can_be_walked)
{
    make("[filesystem]\ndeny_read = ~/s\ndeny_read = ~/t\nallow_read = ~/s/pub\n", NULL);
    ck_assert_uint_eq(step("/home/agent/s")->mode, 0111);
    ck_assert_uint_eq(step("/home/agent/t")->mode, 0);
    ck_assert_int_eq((int)step("/home/agent/s/pub")->kind, SBX_STEP_BIND);
    ck_assert_int_gt(find("/home/agent/s/pub"), find("/home/agent/s"));
}
END_TEST

/* What a rule closes above must really be masked before what others close below it may be left out. */
START_TEST(a_mask_above_is_one_of_the_plan)
{
    make("[filesystem]\ndeny_read = ~/s\ndeny_read = ~/s/t\ndeny_read = /hom*\n", NULL);
    ck_assert_int_eq((int)step("/home/agent/.ssh")->kind, SBX_STEP_MASK);
    ck_assert_int_eq((int)step("/home/agent/s")->kind, SBX_STEP_MASK);
    ck_assert_int_eq(find("/home/agent/s/t"), -1);
}
END_TEST

START_TEST(a_place_of_ours_cannot_be_closed)
{
    struct sbx_err err = SBX_ERR_INIT;
    const struct sbx_plan_input input = {
        .session_source = "/s",
        .passwd_source = "/p",
        .group_source = "/g",
        .policy = policy = policy_of("[jail]\nprivate_tmp = no\n"
                                     "[filesystem]\ndeny_read = /tm*\ndeny_read = /tmp/secret\n")};
    ck_assert_int_eq(sbx_plan_build(&plan, &input, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.message, "/tmp cannot be closed to readers as a whole"));
}
END_TEST

/* Nothing absent is ever made on the host: what takes away needs the path to be there, what gives
 * is told when it is not. */
START_TEST(absent_paths_stay_absent)
{
    make("[filesystem]\ndeny_read = ~/work/x\ndeny_write = ~/work/y\nallow_write = /srv/z\n", NULL);
    ck_assert(step("/home/agent/work/x")->flags & SBX_STEP_PRESENT);
    ck_assert(step("/home/agent/work/y")->flags & SBX_STEP_PRESENT);
    ck_assert(step("/srv/z")->flags & SBX_STEP_TELL);
}
END_TEST

/* Only what takes away may be reached with more than the account's rights: what gives must not bring
 * near what the account cannot reach. */
START_TEST(what_takes_away_is_a_guard)
{
    make("[filesystem]\ndeny_read = ~/work/x/r\ndeny_write = ~/work/y\nallow_write = ~/z\n"
         "deny_read = ~/s\nallow_read = ~/s/pub\nallow_read = /srv/a\n",
         NULL);
    ck_assert(step("/home/agent/work/x")->flags & SBX_STEP_GUARD);
    ck_assert(step("/home/agent/work/x/r")->flags & SBX_STEP_GUARD);
    ck_assert(step("/home/agent/work/y")->flags & SBX_STEP_GUARD);
    ck_assert(step("/home/agent/.ssh")->flags & SBX_STEP_GUARD);
    ck_assert(!(step("/home/agent/z")->flags & SBX_STEP_GUARD));
    ck_assert(!(step("/home/agent/s/pub")->flags & SBX_STEP_GUARD));
    ck_assert(!(step("/srv/a")->flags & SBX_STEP_GUARD));
    ck_assert(!(step("/home/agent/work")->flags & SBX_STEP_GUARD));
}
END_TEST

START_TEST(nothing_is_mounted_into_our_own_places)
{
    make("[filesystem]\nallow_write = /dev/shm\nallow_write = /tmp\ndeny_read = /proc/meminfo\n"
         "allow_read = /run/systemd\n",
         NULL);
    ck_assert_int_eq(find("/proc/meminfo"), -1);
    ck_assert_int_eq(find("/run/systemd"), -1);
    ck_assert_int_eq((int)step("/tmp")->kind, SBX_STEP_TMPFS);
}
END_TEST

START_TEST(sockets_are_masked_unless_named)
{
    static const char *const sockets[] = {"/var/lib/apt/s", "/home/agent/agent.sock",
                                          "/run/docker.sock", NULL};
    make("[network]\nallow_unix_socket = ~/agent.sock\n", sockets);
    ck_assert_int_eq((int)step("/var/lib/apt/s")->kind, SBX_STEP_MASK);
    ck_assert(step("/var/lib/apt/s")->flags & SBX_STEP_SOCKET);
    ck_assert_int_eq(find("/home/agent/agent.sock"), -1);
    ck_assert_int_eq(find("/run/docker.sock"), -1);
}
END_TEST

START_TEST(whole_view_starts_from_the_host)
{
    make("[filesystem]\nview = whole\n", NULL);
    ck_assert_int_eq((int)plan.steps[0].kind, SBX_STEP_BIND);
    ck_assert_str_eq(plan.steps[0].path, "/");
    ck_assert(!(plan.steps[0].flags & SBX_STEP_WRITABLE));
    ck_assert_int_eq((int)step("/run")->kind, SBX_STEP_FREEZE);
    ck_assert_int_eq((int)step("/home")->kind, SBX_STEP_TMPFS);
    ck_assert_int_eq((int)step("/root")->kind, SBX_STEP_MASK);
}
END_TEST

START_TEST(the_envelope_holds_what_a_grant_could_open)
{
    const char *paths[64];
    make("[filesystem]\nallow_write = /srv/data\nallow_write = ~/cache\n", NULL);
    size_t count = sbx_plan_envelope(policy, paths, 64), home = 0, data = 0;
    for (size_t i = 0; i < count; i++) {
        home += !strcmp(paths[i], "/home/agent");
        data += !strcmp(paths[i], "/srv/data");
        ck_assert_str_ne(paths[i], "/");
        ck_assert_str_ne(paths[i], "/etc");
    }
    ck_assert_uint_eq(home, 1);
    ck_assert_uint_eq(data, 1);
    ck_assert_uint_le(sbx_plan_envelope(policy, paths, 2), 2);
}
END_TEST

/* --- globs --------------------------------------------------------------------------------------- */
struct seen {
    char text[4096];
    unsigned count, cuts;
};

static bool note_match(void *data, const char *path)
{
    struct seen *seen = data;
    size_t used = strlen(seen->text);
    (void)snprintf(seen->text + used, sizeof(seen->text) - used, "%s\n", path);
    seen->count++;
    return true;
}

static void note_cut(void *data, const char *glob)
{
    (void)glob;
    ((struct seen *)data)->cuts++;
}

static void touch_all(const char *top, const char *const *names)
{
    char path[256];
    for (; *names; names++) {
        (void)snprintf(path, sizeof(path), "%s%s", top, *names);
        if (path[strlen(path) - 1] == '/') {
            ck_assert_int_eq(mkdir(path, 0755), 0);
        } else {
            int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
            ck_assert_int_ge(fd, 0);
            (void)close(fd);
        }
    }
}

/* What a match brings comes after the rest of the view: it must not uncover what is masked below. */
START_TEST(a_match_keeps_what_is_below)
{
    struct sbx_err err = SBX_ERR_INIT;
    make("[filesystem]\ndeny_write = ~/*\ndeny_write = ~/work/*/b\ndeny_read = ~/work/a/b/s\n",
         NULL);
    size_t before = plan.count;
    ck_assert(!sbx_plan_add_match(&plan, policy, "/home/agent/work", &err));
    ck_assert_uint_eq(plan.count, before); /* writable by a stronger rule */
    ck_assert(!sbx_plan_add_match(&plan, policy, "/home/agent/work/a/b", &err));
    ck_assert_int_eq((int)step("/home/agent/work/a/b")->kind, SBX_STEP_SELF);
    ck_assert(!(step("/home/agent/work/a/b")->flags & SBX_STEP_WRITABLE));
    ck_assert_int_eq((int)step("/home/agent/work/a/b/s")->kind, SBX_STEP_MASK);
    ck_assert_int_gt(find("/home/agent/work/a/b/s"), find("/home/agent/work/a/b"));
}
END_TEST

START_TEST(globs_find_what_is_there)
{
    static const char *const names[] = {"/home/",
                                        "/home/agent/",
                                        "/home/agent/work/",
                                        "/home/agent/work/.env",
                                        "/home/agent/work/a/",
                                        "/home/agent/work/a/.env",
                                        "/home/agent/work/a/env",
                                        "/home/agent/work/k1.pem",
                                        "/home/agent/work/a/k2.pem",
                                        NULL};
    char top[] = "/tmp/sbx-globs-XXXXXX", command[64];
    ck_assert_ptr_nonnull(mkdtemp(top));
    touch_all(top, names);
    char path[256];
    (void)snprintf(path, sizeof(path), "%s/home/agent/work/link", top);
    ck_assert_int_eq(symlink("a", path), 0);
    (void)snprintf(path, sizeof(path), "%s/home/agent/work/link.pem", top);
    ck_assert_int_eq(symlink("a/env", path), 0); /* its target has a name of its own */
    policy = policy_of("[filesystem]\ndeny_read = ~/work/**/.env\ndeny_read = ~/work/*.pem\n");
    struct seen seen = {0};
    const struct sbx_globs_sink sink = {.found = note_match, .cut = note_cut, .data = &seen};
    _cleanup_fd_ int root = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);
    sbx_globs_walk(policy, root, &sink);
    ck_assert_ptr_nonnull(strstr(seen.text, "/home/agent/work/a/.env\n"));
    ck_assert_ptr_nonnull(strstr(seen.text, "/home/agent/work/.env\n"));
    ck_assert_ptr_nonnull(strstr(seen.text, "/home/agent/work/k1.pem\n"));
    ck_assert_ptr_null(strstr(seen.text, "link")); /* links are not followed */
    ck_assert_ptr_null(strstr(seen.text, "k2"));   /* * stays inside one directory */
    ck_assert_uint_eq(seen.count, 3);
    ck_assert_uint_eq(seen.cuts, 0);
    (void)snprintf(command, sizeof(command), "rm -rf %s", top);
    ck_assert_int_eq(system(command), 0);
    free(policy);
}
END_TEST

Suite *plan_suite(void)
{
    Suite *suite = suite_create("plan");
    TCase *tcase = tcase_create("view");
    tcase_add_checked_fixture(tcase, NULL, drop);
    tcase_add_test(tcase, home_is_read_only_and_the_workspace_is_not);
    tcase_add_test(tcase, root_is_frozen_last);
    tcase_add_test(tcase, parents_of_a_protected_path_are_pinned);
    tcase_add_test(tcase, a_mask_with_an_opening_can_be_walked);
    tcase_add_test(tcase, absent_paths_stay_absent);
    tcase_add_test(tcase, what_takes_away_is_a_guard);
    tcase_add_test(tcase, a_match_keeps_what_is_below);
    tcase_add_test(tcase, nothing_is_mounted_into_our_own_places);
    tcase_add_test(tcase, sockets_are_masked_unless_named);
    tcase_add_test(tcase, whole_view_starts_from_the_host);
    tcase_add_test(tcase, a_mask_above_is_one_of_the_plan);
    tcase_add_test(tcase, a_place_of_ours_cannot_be_closed);
    tcase_add_test(tcase, the_envelope_holds_what_a_grant_could_open);
    suite_add_tcase(suite, tcase);
    TCase *globs = tcase_create("globs");
    tcase_add_test(globs, globs_find_what_is_there);
    suite_add_tcase(suite, globs);
    return suite;
}
