#include <check.h>
#include <errno.h>
#include <linux/audit.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "child.h"
#include "jail/kernel.h"

Suite *kernel_suite(void);

START_TEST(every_feature_says_something)
{
    struct sbx_feature features[SBX_FEATURES_MAX];
    size_t count = sbx_kernel_probe(features);
    ck_assert_uint_gt(count, 10);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(features[i].name && features[i].detail[0], "feature %zu", i);
}
END_TEST

/* A kernel without the call, as a container's filter or an old machine shows it. */
struct mask {
    const char *call, *feature;
    int answer;
};

static int require_masked(void *data)
{
    const struct mask *mask = data;
    struct sbx_err err = SBX_ERR_INIT;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (mask->call && seccomp_rule_add(filter, SCMP_ACT_ERRNO((unsigned)mask->answer),
                                       seccomp_syscall_resolve_name(mask->call), 0))
        return 90;
    if (seccomp_load(filter))
        return 91;
    seccomp_release(filter);
    if (!sbx_kernel_require(&err))
        return mask->feature ? 1 : 0;
    if (!mask->feature) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    return strstr(err.message, mask->feature) && err.code == SBX_E_UNSUPPORTED ? 0 : 3;
}

START_TEST(what_is_masked_is_named)
{
    static const struct mask masks[] = {
        {NULL,                      NULL,            0         },
        {"openat2",                 "openat2",       ENOSYS    },
        {"openat2",                 "openat2",       EPERM     },
        {"mount_setattr",           "mount_setattr", ENOSYS    },
        {"open_tree",               "open_tree",     ENOSYS    },
        {"pidfd_open",              "pidfd",         ENOSYS    },
        {"close_range",             "close_range",   ENOSYS    },
        {"landlock_create_ruleset", "landlock",      ENOSYS    },
        {"landlock_create_ruleset", "landlock",      EOPNOTSUPP},
    };
    for (size_t i = 0; i < sizeof(masks) / sizeof(*masks); i++) {
        struct mask mask = masks[i];
        ck_assert_msg(in_child(require_masked, &mask) == 0, "%s masked with %d",
                      mask.call ? mask.call : "nothing", mask.answer);
    }
}
END_TEST

Suite *kernel_suite(void)
{
    Suite *suite = suite_create("kernel");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, every_feature_says_something);
    tcase_add_test(tcase, what_is_masked_is_named);
    suite_add_tcase(suite, tcase);
    return suite;
}
