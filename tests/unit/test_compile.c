/* Merging, the compiled block, and what of it is checked before anybody follows an offset. */
#include <check.h>

#include "policy/path.h"
#include "policy/rule.h"
#include "policy_text.h"

Suite *compile_suite(void);

static void expect_list(const struct sbx_policy *policy, enum sbx_key key, const char *wanted)
{
    char text[4096] = "";
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    for (uint32_t i = 0; i < count; i++)
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? "|" : "",
                       sbx_policy_text(policy, items[i].text));
    ck_assert_str_eq(text, wanted);
}

START_TEST(defaults_count_where_no_file_speaks)
{
    struct sbx_policy *policy = policy_of("[sandbox]\nenabled = yes\n");
    ck_assert(sbx_policy_flag(policy, SBX_KEY_SANDBOX_ENABLED));
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_LIMITS_TASKS_MAX), 512);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_JAIL_LINGER), 900);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_LIMITS_MEMORY_MAX), SBX_UNSET);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_CLASSIFIER_FS_DESTROY), SBX_UNSET);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_FILESYSTEM_VIEW), 0);
    ck_assert_str_eq(sbx_policy_string(policy, SBX_KEY_APPROVALS_OPERATORS), "sbx-operators");
    ck_assert_str_eq(sbx_policy_string(policy, SBX_KEY_JAIL_HOSTNAME), "");
    ck_assert_str_eq(sbx_policy_text(policy, policy->workspace), "/home/agent/work");
    ck_assert_str_eq(sbx_policy_text(policy, policy->account), "agent");
    expect_list(policy, SBX_KEY_FILESYSTEM_WORKSPACE, "/home/agent/work");
    expect_list(policy, SBX_KEY_ACCOUNTS_SERVICE, "sshd|su|su-l|sudo|cron");
    expect_list(policy, SBX_KEY_FILESYSTEM_DENY_READ, "");
    uint32_t count = 0;
    ck_assert_ptr_null(sbx_policy_list(policy, SBX_KEY_COUNT, &count));
    ck_assert_uint_eq(count, 0);
    free(policy);
}
END_TEST

START_TEST(values_are_numbers_and_paths_absolute)
{
    struct sbx_policy *policy =
        policy_of("[limits]\nmemory_max = 2G\ncpu_quota = 150%\nsession_time = 1h\n"
                  "[filesystem]\nview = whole\nworkspace = ~/a\nworkspace = b\n"
                  "deny_read = ./x/*\n"
                  "[accounts]\nservice = mine\n"
                  "[credentials]\ndeny_env = MY_*\ndeny_file = ~/.netrc\n"
                  "[network]\nca_file = ~/ca.pem\n"
                  "[classifier]\nfs-destroy = ask\nunparsed = ask\n"
                  "[command deploy]\nreads = 1\nwrapper = yes\n"
                  "[command other]\nwrapper = no\n");
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_LIMITS_MEMORY_MAX), 2LL << 30);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_LIMITS_CPU_QUOTA), 150);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_LIMITS_SESSION_TIME), 3600);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_FILESYSTEM_VIEW), 1);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_CLASSIFIER_FS_DESTROY), 1);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_CLASSIFIER_UNPARSED), 1);
    ck_assert_str_eq(sbx_policy_string(policy, SBX_KEY_LIMITS_MEMORY_MAX), "2G");
    ck_assert_str_eq(sbx_policy_string(policy, SBX_KEY_NETWORK_CA_FILE), "/home/agent/ca.pem");
    ck_assert_str_eq(sbx_policy_text(policy, policy->workspace), "/home/agent/a");
    expect_list(policy, SBX_KEY_FILESYSTEM_WORKSPACE, "/home/agent/a|/home/agent/b");
    expect_list(policy, SBX_KEY_FILESYSTEM_DENY_READ, "/home/agent/x/*");
    expect_list(policy, SBX_KEY_ACCOUNTS_SERVICE, "sshd|su|su-l|sudo|cron|mine");
    expect_list(policy, SBX_KEY_COMMAND_READS, "deploy 1");
    expect_list(policy, SBX_KEY_COMMAND_WRAPPER, "deploy yes|other no");
    uint32_t count = 0;
    const struct sbx_item *env = sbx_policy_list(policy, SBX_KEY_CREDENTIALS_DENY_ENV, &count);
    ck_assert_str_eq(sbx_policy_text(policy, env[0].text), "*_TOKEN");
    ck_assert_str_eq(sbx_policy_text(policy, env[count - 1].text), "MY_*");
    ck_assert(!sbx_path_decide(policy, "/home/agent/.netrc", SBX_OP_READ).allowed);
    free(policy);
}
END_TEST

START_TEST(scopes_and_places_are_kept)
{
    char place[64];
    uint32_t count = 0;
    struct sbx_policy *policy =
        policy_of_scopes("[limits]\ntasks_max = 7\n[filesystem]\ndeny_read = /m\n",
                         "[limits]\ntasks_max = 9\nopen_files = 5\n"
                         "[filesystem]\ndeny_read = /f\n");
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_LIMITS_TASKS_MAX), 7); /* managed wins */
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_LIMITS_OPEN_FILES), 5);
    expect_list(policy, SBX_KEY_FILESYSTEM_DENY_READ, "/f|/m");
    const struct sbx_item *item = sbx_policy_list(policy, SBX_KEY_LIMITS_TASKS_MAX, &count);
    ck_assert_uint_eq(item->origin.scope, SBX_SCOPE_MANAGED);
    sbx_policy_origin(policy, &item->origin, place, sizeof(place));
    ck_assert_str_eq(place, "p.ini:2");
    item = sbx_policy_list(policy, SBX_KEY_LIMITS_OPEN_FILES, &count);
    ck_assert_uint_eq(item->origin.scope, SBX_SCOPE_FLAG);
    item = sbx_policy_list(policy, SBX_KEY_JAIL_GRACE, &count);
    ck_assert_uint_eq(item->origin.scope, SBX_SCOPE_DEFAULT);
    sbx_policy_origin(policy, &item->origin, place, sizeof(place));
    ck_assert_str_eq(place, "built-in");
    free(policy);
}
END_TEST

START_TEST(path_and_web_rules_join_the_lists)
{
    struct sbx_policy *policy = policy_of("[permissions]\n"
                                          "allow = Edit(~/notes)\ndeny = Edit(~/work/lock)\n"
                                          "deny = Read(//data)\nallow = Read(//data/open)\n"
                                          "ask = Edit(~/work/ask)\ndeny = Edit\nallow = Read(*)\n"
                                          "allow = WebFetch(domain:*.example.com)\n"
                                          "deny = WebFetch(domain:bad.example.com)\n"
                                          "ask = WebFetch(domain:ask.example.com)\n"
                                          "[network]\nallow_domain = a.org\n");
    ck_assert(sbx_path_decide(policy, "/home/agent/notes/x", SBX_OP_WRITE).allowed);
    ck_assert(!sbx_path_decide(policy, "/home/agent/work/lock", SBX_OP_WRITE).allowed);
    ck_assert(!sbx_path_decide(policy, "/data/x", SBX_OP_READ).allowed);
    ck_assert(sbx_path_decide(policy, "/data/open", SBX_OP_READ).allowed);
    ck_assert(sbx_path_decide(policy, "/home/agent/work/ask", SBX_OP_WRITE).allowed);
    expect_list(policy, SBX_KEY_NETWORK_ALLOW_DOMAIN, "a.org|*.example.com");
    expect_list(policy, SBX_KEY_NETWORK_DENY_DOMAIN, "bad.example.com");
    struct sbx_path_decision decision = sbx_path_decide(policy, "/data/x", SBX_OP_READ);
    char place[64];
    sbx_policy_origin(policy, &decision.rule->origin, place, sizeof(place));
    ck_assert_str_eq(place, "p.ini:4");
    ck_assert_uint_eq(decision.rule->origin.column, 8);
    free(policy);
}
END_TEST

static struct sbx_policy *compile_for(const char *text, const struct sbx_subject *subject,
                                      struct sbx_err *err)
{
    struct told told;
    struct sbx_config *config = NULL;
    struct sbx_policy *policy = NULL;
    ck_assert_int_eq(sbx_config_new(&config, err), 0);
    ck_assert_int_eq(told_parse(config, SBX_SCOPE_MANAGED, text, strlen(text), &told), 0);
    int status = sbx_policy_compile(config, subject, &policy, err);
    ck_assert_int_eq(status, policy ? 0 : -1);
    sbx_config_free(config);
    return policy;
}

START_TEST(homes_of_every_kind)
{
    static const struct {
        const char *home, *own, *other; /* other: NULL where nothing beside it is a home */
    } cases[] = {
        {"/home/agent",        "/home/agent/x",          "/home/bob"      },
        {"/home/group/agent/", "/home/group/agent/x",    "/home/group/bob"},
        {"/export/agent",      "/export/agent",          "/export/bob/x"  },
        {"/srv/agents/a[1]$",  "/srv/agents/a[1]$/work", "/srv/agents/b"  },
        {"/srv/x*y/agent",     "/srv/x*y/agent",         "/srv/x*y/bob"   },
        {"/var/lib/agent",     "/var/lib/dpkg/status",   NULL             },
        {"/agent",             "/usr/bin/env",           NULL             },
        {"/root/agent",        "/root/agent/x",          "/root/other"    },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sbx_err err = SBX_ERR_INIT;
        const struct sbx_subject subject = {.account = "agent", .home = cases[i].home};
        struct sbx_policy *policy = compile_for("[sandbox]\nenabled = yes\n", &subject, &err);
        ck_assert_msg(policy != NULL, "%s: %s", cases[i].home, err.message);
        ck_assert_msg(sbx_path_decide(policy, cases[i].own, SBX_OP_READ).allowed, "%s",
                      cases[i].own);
        if (cases[i].other)
            ck_assert_msg(!sbx_path_decide(policy, cases[i].other, SBX_OP_READ).allowed, "%s",
                          cases[i].other);
        ck_assert(sbx_path_decide(policy, sbx_policy_text(policy, policy->workspace), SBX_OP_WRITE)
                      .allowed);
        free(policy);
    }
}
END_TEST

START_TEST(odd_subjects_are_refused)
{
    static const struct {
        const char *home, *workspace, *policy;
    } cases[] = {
        {"relative",   NULL,       "[sandbox]\nenabled = yes\n"   },
        {"",           NULL,       "[sandbox]\nenabled = yes\n"   },
        {"/home/a\nb", NULL,       "[sandbox]\nenabled = yes\n"   },
        {"/home/a",    "relative", "[sandbox]\nenabled = yes\n"   },
        {"/home/a",    "",         "[sandbox]\nenabled = yes\n"   },
        {"/home/a",    "/",        "[sandbox]\nenabled = yes\n"   },
        {"/",          NULL,       "[filesystem]\nworkspace = ~\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sbx_err err = SBX_ERR_INIT;
        const struct sbx_subject subject = {
            .account = "a", .home = cases[i].home, .workspace = cases[i].workspace};
        ck_assert_ptr_null(compile_for(cases[i].policy, &subject, &err));
        ck_assert_uint_gt(strlen(err.message), 0);
    }
}
END_TEST

/* What shows only when all is put together is told with its place all the same. */
START_TEST(a_setting_that_cannot_be_compiled_is_named)
{
    static const char text[] = "[permissions]\ndeny = Bash(x)\nallow =  Edit(//)\n";
    const struct sbx_subject subject = {.account = "a", .home = "/home/a"};
    struct told told;
    struct sbx_config *config = NULL;
    struct sbx_policy *policy = NULL;
    struct sbx_place culprit;
    struct sbx_err err = SBX_ERR_INIT;
    ck_assert_int_eq(sbx_config_new(&config, &err), 0);
    ck_assert_int_eq(told_parse(config, SBX_SCOPE_MANAGED, text, strlen(text), &told), 0);
    ck_assert_int_eq(sbx_policy_compile_or(config, &subject, &policy, &culprit, &err), -1);
    ck_assert_str_eq(culprit.file, "p.ini");
    ck_assert_uint_eq(culprit.line, 3);
    ck_assert_uint_eq(culprit.column, 10);
    ck_assert_str_eq(err.message, "p.ini:3:10: what is writable, or the workspace, cannot be /");
    sbx_config_free(config);
}
END_TEST

START_TEST(a_given_workspace_takes_the_policys_place)
{
    struct sbx_err err = SBX_ERR_INIT;
    const struct sbx_subject subject = {
        .account = "agent", .home = "/home/agent", .workspace = "/srv//my $*proj/"};
    struct sbx_policy *policy =
        compile_for("[filesystem]\nworkspace = ~/w\ndeny_write = /srv\n", &subject, &err);
    ck_assert_msg(policy != NULL, "%s", err.message);
    ck_assert_str_eq(sbx_policy_text(policy, policy->workspace), "/srv/my $*proj");
    expect_list(policy, SBX_KEY_FILESYSTEM_WORKSPACE, "/srv/my $*proj");
    ck_assert(sbx_path_decide(policy, "/srv/my $*proj/x", SBX_OP_WRITE).allowed);
    ck_assert(!sbx_path_decide(policy, "/srv/my $*proj/.sbx", SBX_OP_WRITE).allowed);
    ck_assert(!sbx_path_decide(policy, "/srv/my $xproj/x", SBX_OP_WRITE).allowed);
    ck_assert(!sbx_path_decide(policy, "/home/agent/w", SBX_OP_WRITE).allowed);
    free(policy);
}
END_TEST

START_TEST(the_fingerprint_is_of_values_not_of_places)
{
    struct sbx_policy *a = policy_of("[limits]\ntasks_max = 7\n");
    struct sbx_policy *b = policy_of("# moved\n\n[limits]\n\ntasks_max = 7\n");
    struct sbx_policy *c = policy_of("[limits]\ntasks_max = 8\n");
    struct sbx_policy *d = policy_of("[limits]\ntasks_max = 7\n[permissions]\ndeny = Bash(x)\n");
    struct sbx_policy *e = policy_of("[limits]\ntasks_max = 7\n[permissions]\nask = Bash(x)\n");
    ck_assert_uint_eq(a->fingerprint, b->fingerprint);
    ck_assert_uint_ne(a->fingerprint, c->fingerprint);
    ck_assert_uint_ne(a->fingerprint, d->fingerprint);
    ck_assert_uint_ne(d->fingerprint, e->fingerprint);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
}
END_TEST

/* A block that was cut or changed in its head is refused, not followed. */
START_TEST(attach_checks_before_it_follows)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_policy *policy =
        policy_of("[permissions]\ndeny = Bash(x)\n[filesystem]\ndeny_read = /a\n");
    size_t size = policy->size_bytes;
    struct sbx_policy *copy = malloc(size + 8);
    ck_assert_ptr_nonnull(copy);
#define DAMAGE(change)                                                                             \
    do {                                                                                           \
        memcpy(copy, policy, size);                                                                \
        change;                                                                                    \
        ck_assert_msg(!sbx_policy_attach(copy, size, &err), #change);                              \
    } while (0)
    DAMAGE(copy->magic++);
    DAMAGE(copy->version++);
    DAMAGE(copy->size_bytes++);
    DAMAGE(copy->paths_off = UINT32_MAX - 7);
    DAMAGE(copy->paths_off += 4);
    DAMAGE(copy->paths_count = UINT32_MAX);
    DAMAGE(copy->rules_count = (uint32_t)(size / sizeof(struct sbx_rule)));
    DAMAGE(copy->index_count = UINT32_MAX);
    DAMAGE(copy->setting[3].items_off = (uint32_t)size);
    DAMAGE(copy->setting[SBX_KEY_COUNT - 1].count = 1000000);
    DAMAGE(copy->home.off = (uint32_t)size);
    DAMAGE(copy->home.len = UINT32_MAX);
    DAMAGE(copy->workspace.len--);
    DAMAGE(((char *)copy)[size - 1] = 'x');
    memcpy(copy, policy, size);
    ck_assert_ptr_nonnull(sbx_policy_attach(copy, size, &err));
    for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : 97)
        ck_assert_ptr_null(sbx_policy_attach(copy, cut, &err));
    ck_assert_ptr_null(sbx_policy_attach(copy, size + 1, &err));
    ck_assert_ptr_null(sbx_policy_attach(NULL, size, &err));
    ck_assert_ptr_null(sbx_policy_attach((char *)copy + 1, size - 1, &err));
    free(copy);
    free(policy);
}
END_TEST

START_TEST(a_policy_past_the_bound_is_refused)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct told told;
    struct sbx_config *config = NULL;
    struct sbx_policy *policy = NULL;
    const struct sbx_subject subject = {.account = "agent", .home = "/home/agent"};
    char *text = malloc(1024 * 1024);
    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(sbx_config_new(&config, &err), 0);
    for (int file = 0; file < 20; file++) {
        size_t used = (size_t)sprintf(text, "[permissions]\n");
        for (int i = 0; i < 300; i++)
            used += (size_t)sprintf(text + used, "deny = Bash(%d %d %03000d)\n", file, i, 0);
        ck_assert_int_eq(told_parse(config, SBX_SCOPE_MANAGED, text, used, &told), 0);
    }
    ck_assert_int_eq(sbx_policy_compile(config, &subject, &policy, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.message, "larger than"));
    sbx_config_free(config);
    free(text);
}
END_TEST

Suite *compile_suite(void)
{
    Suite *suite = suite_create("compile");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, defaults_count_where_no_file_speaks);
    tcase_add_test(tcase, values_are_numbers_and_paths_absolute);
    tcase_add_test(tcase, scopes_and_places_are_kept);
    tcase_add_test(tcase, path_and_web_rules_join_the_lists);
    tcase_add_test(tcase, homes_of_every_kind);
    tcase_add_test(tcase, odd_subjects_are_refused);
    tcase_add_test(tcase, a_setting_that_cannot_be_compiled_is_named);
    tcase_add_test(tcase, a_given_workspace_takes_the_policys_place);
    tcase_add_test(tcase, the_fingerprint_is_of_values_not_of_places);
    tcase_add_test(tcase, attach_checks_before_it_follows);
    tcase_add_test(tcase, a_policy_past_the_bound_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
