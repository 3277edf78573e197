#include <check.h>

#include "policy/path.h"
#include "policy_text.h"

Suite *path_suite(void);

static bool may(const struct sbx_policy *policy, const char *path, enum sbx_path_op op)
{
    return sbx_path_decide(policy, path, op).allowed;
}

#define CAN_READ(p)     ck_assert_msg(may(policy, p, SBX_OP_READ), "%s must be readable", p)
#define CANNOT_READ(p)  ck_assert_msg(!may(policy, p, SBX_OP_READ), "%s must not be readable", p)
#define CAN_WRITE(p)    ck_assert_msg(may(policy, p, SBX_OP_WRITE), "%s must be writable", p)
#define CANNOT_WRITE(p) ck_assert_msg(!may(policy, p, SBX_OP_DELETE), "%s must not be writable", p)

static const char *const secret[] = {
    "/home/agent/.ssh",
    "/home/agent/.ssh/id_rsa",
    "/home/agent/.aws/credentials",
    "/home/agent/.gnupg/x",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/shadow.bak",
    "/etc/gshadow",
    "/etc/security/opasswd",
    "/root",
    "/root/x",
    "/home/bob",
    "/home/bob/x",
    "/home/agent2",
    "/proc/kcore",
    "/dev/mem",
    "/dev/kmem",
    "/dev/sda",
    "/dev/kvm",
};

static const char *const startup[] = {
    "/home/agent/.bashrc",
    "/home/agent/.profile",
    "/home/agent/.gitconfig",
    "/home/agent/.config/systemd/user/x.service",
    "/home/agent/.config/sbx/policy.ini",
    "/home/agent/.ipython/profile_default/startup/x.py",
    "/home/agent/.gradle/init.gradle",
    "/home/agent/.cargo/config.toml",
    "/etc/sbx/policy.ini",
};

static const char *const free_for_all[] = {"/tmp/x",   "/var/tmp",  "/dev/shm/x",     "/dev/null",
                                           "/dev/tty", "/dev/fd/3", "/proc/self/fd/1"};

START_TEST(zones_hold_under_an_empty_policy)
{
    struct sbx_policy *policy = policy_of("[sandbox]\nenabled = yes\n");
    CAN_READ("/home/agent");
    CAN_READ("/home/agent/x");
    CAN_READ("/home");
    CAN_READ("/");
    CAN_READ("/etc/passwd");
    CAN_WRITE("/home/agent/work");
    CAN_WRITE("/home/agent/work/a/b");
    CANNOT_WRITE("/home/agent/work/.sbx");
    CANNOT_WRITE("/home/agent/work/.sbx/policy.ini");
    CANNOT_WRITE("/home/agent/workspace");
    CANNOT_WRITE("/home/agent/x");
    CANNOT_WRITE("/home/agent");
    CANNOT_WRITE("/etc/passwd");
    CANNOT_WRITE("/");
    for (size_t i = 0; i < sizeof(secret) / sizeof(*secret); i++) {
        CANNOT_READ(secret[i]);
        CANNOT_WRITE(secret[i]);
    }
    for (size_t i = 0; i < sizeof(startup) / sizeof(*startup); i++) {
        CAN_READ(startup[i]);
        CANNOT_WRITE(startup[i]);
    }
    for (size_t i = 0; i < sizeof(free_for_all) / sizeof(*free_for_all); i++) {
        CAN_READ(free_for_all[i]);
        CAN_WRITE(free_for_all[i]);
    }
    CAN_READ("/dev");
    free(policy);
}
END_TEST

START_TEST(longest_match_decides_and_a_tie_denies)
{
    struct sbx_policy *policy = policy_of("[filesystem]\n"
                                          "allow_write = ~/a\n"
                                          "deny_write = ~/a/b\n"
                                          "allow_write = ~/a/b/c\n"
                                          "allow_write = /tie\n"
                                          "deny_write = /tie\n"
                                          "deny_read = /data\n"
                                          "allow_read = /data/open\n"
                                          "allow_write = /data/w\n"
                                          "deny_read = ~/work/*.key\n"
                                          "deny_read = /**/*.pem\n");
    CAN_WRITE("/home/agent/a/x");
    CANNOT_WRITE("/home/agent/a/b");
    CANNOT_WRITE("/home/agent/a/b/x");
    CAN_WRITE("/home/agent/a/b/c/x");
    CANNOT_WRITE("/tie/x");
    CANNOT_READ("/data/x");
    CAN_READ("/data/open/x");
    CANNOT_READ("/data/w/x");  /* allow_write opens no deny_read … */
    CANNOT_WRITE("/data/w/x"); /* … and what cannot be read cannot be written */
    CANNOT_READ("/home/agent/work/a.key");
    CAN_READ("/home/agent/work/d/a.key");
    CANNOT_READ("/srv/deep/down/x.pem");
    CANNOT_READ("/x.pem");
    CANNOT_READ("/home/agent/work/x.pem/below");
    free(policy);
}
END_TEST

START_TEST(zone_s_opens_by_an_exact_managed_allow_alone)
{
    struct sbx_policy *policy = policy_of("[filesystem]\n"
                                          "workspace = ~\n"
                                          "allow_read = ~/.ssh/known_hosts\n"
                                          "allow_read = ~/.gnupg/*\n"
                                          "allow_read = ~/.aws\n"
                                          "allow_write = ~/.bashrc\n"
                                          "allow_write = ~/.config/git/ignore\n");
    CAN_READ("/home/agent/.ssh/known_hosts");
    CANNOT_WRITE("/home/agent/.ssh/known_hosts");
    CANNOT_READ("/home/agent/.ssh/id_rsa");
    CANNOT_READ("/home/agent/.ssh");
    CANNOT_READ("/home/agent/.gnupg/x");
    CAN_READ("/home/agent/.aws/config");
    CANNOT_WRITE("/home/agent/.aws/config");
    CAN_WRITE("/home/agent/x");
    CANNOT_WRITE("/home/agent/.bashrc");
    CANNOT_WRITE("/home/agent/.config/git/ignore");
    CANNOT_WRITE("/home/agent/.sbx/policy.ini");
    free(policy);
}
END_TEST

START_TEST(a_lower_scope_opens_no_managed_deny)
{
    struct sbx_policy *policy =
        policy_of_scopes("[filesystem]\ndeny_write = ~/a\ndeny_read = /data/*/s\n"
                         "allow_write = /m/deep\n",
                         "[filesystem]\nallow_write = ~/a/b\nallow_write = ~/c\n"
                         "allow_read = /data/x/s\nallow_read = ~/.ssh/id\n"
                         "deny_write = /m\n");
    CANNOT_WRITE("/home/agent/a/b");
    CAN_WRITE("/home/agent/c");
    CANNOT_READ("/data/x/s");
    CANNOT_READ("/home/agent/.ssh/id");
    CAN_WRITE("/m/deep"); /* within reach of the higher scope */
    CANNOT_WRITE("/m/x");
    free(policy);
    /* The twin: written in the managed file, the same lines open. */
    policy =
        policy_of("[filesystem]\ndeny_write = ~/a\ndeny_read = /data/*/s\nallow_write = ~/a/b\n"
                  "allow_read = /data/x/s\nallow_read = ~/.ssh/id\n");
    CAN_WRITE("/home/agent/a/b");
    CAN_READ("/data/x/s");
    CAN_READ("/home/agent/.ssh/id");
    free(policy);
}
END_TEST

START_TEST(grants_can_open_what_no_rule_denies)
{
    struct sbx_policy *policy = policy_of("[filesystem]\ndeny_write = ~/no\n");
    ck_assert(sbx_path_decide(policy, "/home/agent/notes", SBX_OP_WRITE).grantable);
    ck_assert(!sbx_path_decide(policy, "/home/agent/no/x", SBX_OP_WRITE).grantable);
    ck_assert(!sbx_path_decide(policy, "/home/agent/.bashrc", SBX_OP_WRITE).grantable);
    ck_assert(!sbx_path_decide(policy, "/home/agent/.ssh/x", SBX_OP_WRITE).grantable);
    ck_assert(!sbx_path_decide(policy, "/etc/x", SBX_OP_WRITE).grantable);
    ck_assert(!sbx_path_decide(policy, "/home/agent/work/x", SBX_OP_WRITE).grantable);
    ck_assert(!sbx_path_decide(policy, "relative", SBX_OP_READ).allowed);
    free(policy);
}
END_TEST

START_TEST(spellings_mean_the_same_path)
{
    struct sbx_policy *policy = policy_of("[filesystem]\n"
                                          "deny_read = $HOME/a/\n"
                                          "deny_read = ./b\n"
                                          "deny_read = c//d/.\n"
                                          "deny_read = //e\n"
                                          "deny_read = /with space\n"
                                          "deny_read = /star\\*x\n"
                                          "[permissions]\n"
                                          "deny = Read(/f)\n"
                                          "deny = Read(//g)\n"
                                          "allow = Edit(h)\n"
                                          "deny = Edit(~/work/i/**)\n"
                                          "ask = Edit(~/work/j)\n");
    CANNOT_READ("/home/agent/a/x");
    CANNOT_READ("/home/agent/b");
    CANNOT_READ("/home/agent/c/d");
    CANNOT_READ("/e");
    CANNOT_READ("/with space");
    CANNOT_READ("/star*x");
    CAN_READ("/starryx");
    CANNOT_READ("/home/agent/f");
    CAN_READ("/f");
    CANNOT_READ("/g");
    CAN_WRITE("/home/agent/h");
    CANNOT_WRITE("/home/agent/work/i/x");
    CAN_WRITE("/home/agent/work/i");
    CAN_WRITE("/home/agent/work/j");
    free(policy);
}
END_TEST

START_TEST(normalises)
{
    char out[16];
    static const struct {
        const char *path, *result;
    } cases[] = {
        {"/",                "/"     },
        {"//a//b/",          "/a/b"  },
        {"x",                "/w/x"  },
        {".",                "/w"    },
        {"..",               "/"     },
        {"../../..",         "/"     },
        {"a/../b",           "/w/b"  },
        {"/a/./b/..",        "/a"    },
        {"...",              "/w/..."},
        {"",                 NULL    },
        {"/a/b/c/d/e/f/g/h", NULL    }
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int status = sbx_path_normalise("/w", cases[i].path, out, sizeof(out));
        ck_assert_msg(!status == (cases[i].result != NULL), "%s", cases[i].path);
        if (cases[i].result)
            ck_assert_str_eq(out, cases[i].result);
    }
    ck_assert_int_eq(sbx_path_normalise("relative", "x", out, sizeof(out)), -1);
    ck_assert_int_eq(sbx_path_normalise(NULL, "x", out, sizeof(out)), -1);
    ck_assert_int_eq(sbx_path_normalise(NULL, "/x", out, sizeof(out)), 0);
}
END_TEST

START_TEST(globs_as_in_gitignore)
{
    static const struct {
        const char *glob, *path;
        bool matches;
    } cases[] = {
        {"/a/*",         "/a/b",         true },
        {"/a/*",         "/a/b/c",       true }, /* below a match */
        {"/a/*",         "/a",           false},
        {"/a/*.c",       "/a/x.c",       true },
        {"/a/*.c",       "/a/d/x.c",     false},
        {"/a/**/x",      "/a/x",         true },
        {"/a/**/x",      "/a/b/c/x/y",   true },
        {"/a/**/x",      "/a/b/c/xx",    false},
        {"/a/**",        "/a",           false},
        {"/a/**",        "/a/b",         true },
        {"/**/k",        "/k",           true },
        {"/a/?",         "/a/b",         true },
        {"/a/?",         "/a/bc",        false},
        {"/a/?",         "/a/\xc3\xa9",  true },
        {"/a/[a-c]x",    "/a/bx",        true },
        {"/a/[!a-c]x",   "/a/bx",        false},
        {"/a/[]]",       "/a/]",         true },
        {"/a/\\*",       "/a/*",         true },
        {"/a/\\*",       "/a/b",         false},
        {"/a/x**y",      "/a/x1/2y",     false},
        {"/a/x**y",      "/a/x12y",      true },
        {"/*",           "/",            false},
        {"/**",          "/",            false},
        {"/**",          "/x",           true },
        {"/a/**/b/**/c", "/a/1/b/2/3/c", true },
        {"/a/**/b/**/c", "/a/b/c",       true },
        {"/a/**/b/**/c", "/a/c/b",       false},
        {"/a/*x*y*",     "/a/1x2y3",     true },
        {"relative",     "/relative",    false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        ck_assert_msg(sbx_path_glob(cases[i].glob, cases[i].path) == cases[i].matches, "%s on %s",
                      cases[i].glob, cases[i].path);
}
END_TEST

/* A literal rule is found by its path, so 20,000 of them must not make a decision slower than a
 * few. */
START_TEST(many_rules_cost_nothing)
{
    static char text[2 * 1024 * 1024];
    size_t used = (size_t)snprintf(text, sizeof(text), "[filesystem]\n");
    for (int i = 0; i < 20000; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "deny_read = /data/d%d/x\n", i);
    struct sbx_policy *policy = policy_of(text);
    for (int i = 0; i < 200000; i++) {
        CANNOT_READ("/data/d777/x/y");
        CAN_READ("/data/d20001/x");
    }
    free(policy);
}
END_TEST

Suite *path_suite(void)
{
    Suite *suite = suite_create("path");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, zones_hold_under_an_empty_policy);
    tcase_add_test(tcase, longest_match_decides_and_a_tie_denies);
    tcase_add_test(tcase, zone_s_opens_by_an_exact_managed_allow_alone);
    tcase_add_test(tcase, a_lower_scope_opens_no_managed_deny);
    tcase_add_test(tcase, grants_can_open_what_no_rule_denies);
    tcase_add_test(tcase, spellings_mean_the_same_path);
    tcase_add_test(tcase, normalises);
    tcase_add_test(tcase, globs_as_in_gitignore);
    tcase_add_test(tcase, many_rules_cost_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
