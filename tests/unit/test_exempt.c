/* Who is let in without a jail: by managed files alone, and the machine's word for it. */
#include <check.h>

#include "jail/platform.h"
#include "policy/exempt.h"
#include "policy_text.h"

Suite *exempt_suite(void);

#define LACKS "this machine lacks landlock: ABI 0"

static const struct rule {
    const char *policy;
    enum sbx_platform platform;
    const char *lacks, *rule, *why; /* rule NULL: a jail */
    unsigned line;
} rules[] = {
    {"",                                                   SBX_PLATFORM_LINUX,     NULL,  NULL,                             NULL,        0},
    {"",                                                   SBX_PLATFORM_LINUX,     LACKS, NULL,                             NULL,        0},
    {"",                                                   SBX_PLATFORM_WSL1,      LACKS, NULL,                             NULL,        0},
    {"[sandbox]\nmode = auto-allow\n",                     SBX_PLATFORM_LINUX,     NULL,  NULL,                             NULL,        0},
    {"[sandbox]\nmode = regular\n",                        SBX_PLATFORM_LINUX,     NULL,  NULL,                             NULL,        0},
    {"[sandbox]\nmode = disabled\n",                       SBX_PLATFORM_LINUX,     NULL,  "sandbox.mode = disabled",
     "switched off",                                                                                                                     2},
    {"[sandbox]\nfail_if_unavailable = yes\n",             SBX_PLATFORM_LINUX,     LACKS, NULL,                             NULL,        0},
    {"[sandbox]\nfail_if_unavailable = no\n",              SBX_PLATFORM_LINUX,     NULL,  NULL,                             NULL,        0},
    {"[sandbox]\nfail_if_unavailable = no\n",              SBX_PLATFORM_LINUX,     LACKS,
     "sandbox.fail_if_unavailable = no",                                                                                    LACKS,       2},
    {"[sandbox]\nplatform = linux\n",                      SBX_PLATFORM_LINUX,     NULL,  NULL,                             NULL,        0},
    {"[sandbox]\nplatform = linux\n",                      SBX_PLATFORM_WSL2,      NULL,  "sandbox.platform leaves it out",
     "wsl2",                                                                                                                             2},
    {"[sandbox]\nplatform = linux\nplatform = wsl2\n",     SBX_PLATFORM_CONTAINER, NULL,
     "sandbox.platform leaves it out",                                                                                      "container", 2},
    {"[sandbox]\nplatform = container\nplatform = wsl2\n", SBX_PLATFORM_WSL2,      NULL,  NULL,                             NULL,        0},
 /* What is no platform is left out by nobody: it is unavailable. */
    {"[sandbox]\nplatform = linux\n",                      SBX_PLATFORM_WSL1,      NULL,  NULL,                             NULL,        0},
};
#define RULES ((int)(sizeof(rules) / sizeof(*rules)))

START_TEST(only_what_a_managed_file_says)
{
    const struct rule *rule = &rules[_i];
    struct sbx_policy *policy = policy_of(rule->policy);
    const struct sbx_machine machine = {rule->platform, rule->lacks};
    struct sbx_exempt exempt = {.rule = ""};
    char origin[64];
    ck_assert_int_eq(sbx_exempt_find(policy, &machine, &exempt), rule->rule != NULL);
    if (rule->rule) {
        (void)snprintf(origin, sizeof(origin), "p.ini:%u", rule->line);
        ck_assert_str_eq(exempt.rule, rule->rule);
        ck_assert_str_eq(exempt.origin, origin);
        ck_assert_msg(strstr(exempt.why, rule->why) != NULL, "%s", exempt.why);
    }
    /* The same from any lower scope. */
    for (unsigned key = SBX_KEY_SANDBOX_ENABLED; key <= SBX_KEY_SANDBOX_FAIL_IF_UNAVAILABLE;
         key++) {
        uint32_t count = 0;
        const struct sbx_item *items = sbx_policy_list(policy, (enum sbx_key)key, &count);
        for (uint32_t i = 0; i < count; i++)
            ((struct sbx_item *)(uintptr_t)items)[i].origin.scope = SBX_SCOPE_FLAG;
    }
    ck_assert(!sbx_exempt_find(policy, &machine, &exempt));
    free(policy);
}
END_TEST

#define LINUX "Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12) #1 SMP"
#define WSL1                                                                                       \
    "Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com) (gcc version 5.4.0) "           \
    "#1237-Microsoft"
#define WSL2                                                                                       \
    "Linux version 5.15.90.1-microsoft-standard-WSL2 (oe-user@oe-host) (x86_64-msft-linux-gcc) "   \
    "#1 SMP"
#define WSL2_OWN "Linux version 6.6.9-mine (me@desk) (gcc) #1 SMP"
#define MARKER   "/.dockerenv"

static const struct {
    struct sbx_platform_facts facts;
    enum sbx_platform platform;
} machines[] = {
    {{.version = LINUX},                                                    SBX_PLATFORM_LINUX    },
    {{.version = WSL1},                                                     SBX_PLATFORM_WSL1     },
    {{.version = WSL1, .has_interop = true, .is_contained = true},          SBX_PLATFORM_WSL1     },
    {{.version = WSL2},                                                     SBX_PLATFORM_WSL2     },
    {{.version = WSL2, .is_contained = true},                               SBX_PLATFORM_WSL2     },
    {{.version = WSL2_OWN, .has_interop = true},                            SBX_PLATFORM_WSL2     },
    {{.version = WSL2, .is_contained = true, .marker = MARKER},             SBX_PLATFORM_CONTAINER},
    {{.version = LINUX, .is_contained = true},                              SBX_PLATFORM_CONTAINER},
    {{.version = LINUX, .is_apart = true, .marker = MARKER},                SBX_PLATFORM_CONTAINER},
    {{.version = LINUX, .is_told = true, .marker = MARKER},                 SBX_PLATFORM_CONTAINER},
 /* A machine whose root was a container's image, and sshd with mounts of its own. */
    {{.version = LINUX, .marker = MARKER},                                  SBX_PLATFORM_LINUX    },
    {{.version = LINUX, .is_apart = true},                                  SBX_PLATFORM_LINUX    },
    {{.version = "Linux version 6.1 (Microsoft@Microsoft.com) -Microsoft"}, SBX_PLATFORM_LINUX    },
    {{.version = ""},                                                       SBX_PLATFORM_LINUX    },
};

START_TEST(each_platform_is_recognised)
{
    ck_assert_str_eq(sbx_platform_name(sbx_platform_of(&machines[_i].facts)),
                     sbx_platform_name(machines[_i].platform));
}
END_TEST

START_TEST(this_machine_is_one_of_them)
{
    char detail[128] = "";
    enum sbx_platform platform = sbx_platform_find("", detail, sizeof(detail));
    ck_assert_int_le(platform, SBX_PLATFORM_CONTAINER);
    ck_assert(detail[0]);
}
END_TEST

Suite *exempt_suite(void)
{
    Suite *suite = suite_create("exempt");
    TCase *tcase = tcase_create("core");
    tcase_add_loop_test(tcase, only_what_a_managed_file_says, 0, RULES);
    tcase_add_loop_test(tcase, each_platform_is_recognised, 0,
                        (int)(sizeof(machines) / sizeof(*machines)));
    tcase_add_test(tcase, this_machine_is_one_of_them);
    suite_add_tcase(suite, tcase);
    return suite;
}
