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
    size_t count = sbx_kernel_probe("", features);
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
    if (!sbx_kernel_require("", &err))
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

/* Every item, not the first alone; and whether a lack is certain. */
START_TEST(all_that_is_missing_is_named)
{
    const struct sbx_feature features[] = {
        {.name = "one",            .is_present = true,  .detail = "there"},
        {.name = "two",            .is_present = false, .detail = "gone",  .is_doubtful = true},
        {.name = "three",                        .is_present = false,                             .detail = "gone too",    .need = SBX_NEED_SHOULD},
        {.name = "four", .is_present = false,                    .detail = "not allowed"                    },
    };
    struct sbx_lacks lacks = SBX_LACKS_INIT;
    sbx_lacks_add(&lacks, features, 3);
    ck_assert_uint_eq(lacks.count, 1);
    ck_assert(!lacks.is_certain);
    ck_assert_str_eq(lacks.text, "this machine lacks two: gone");
    sbx_lacks_add(&lacks, features + 3, 1);
    ck_assert(lacks.is_certain);
    ck_assert_str_eq(lacks.text, "this machine lacks two: gone; four: not allowed");
    for (int i = 0; i < 100; i++)
        sbx_lacks_add(&lacks, features + 3, 1);
    ck_assert_uint_eq(lacks.count, 102);
    const char *more = strstr(lacks.text, "; and more (sbxctl doctor)");
    ck_assert_ptr_nonnull(more);
    ck_assert_uint_eq(strlen(more), strlen("; and more (sbxctl doctor)"));
}
END_TEST

/* A call that is not there is missing for certain; one that failed for want of something is not. */
static int doubt_masked(void *data)
{
    const struct mask *mask = data;
    struct sbx_feature features[SBX_FEATURES_MAX];
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO((unsigned)mask->answer),
                         seccomp_syscall_resolve_name(mask->call), 0) ||
        seccomp_load(filter))
        return 91;
    size_t count = sbx_kernel_probe("", features);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(features[i].name, mask->feature))
            return features[i].is_present ? 3 : features[i].is_doubtful ? 2 : 1;
    return 92;
}

START_TEST(a_shortage_is_no_absence)
{
    static const struct {
        struct mask mask;
        int expect; /* 1 missing, 2 doubtful, 3 there */
    } masks[] = {
        {{"landlock_create_ruleset", "landlock", ENOSYS}, 1},
        {{"landlock_create_ruleset", "landlock", ENOMEM}, 2},
        {{"pidfd_open", "setns-pidfd", ENOSYS},           1},
        {{"pidfd_open", "setns-pidfd", EMFILE},           2},
        {{"pidfd_open", "pidfd", EMFILE},                 3},
        {{"setns", "setns-pidfd", EINVAL},                1},
        {{"setns", "setns-pidfd", ENOMEM},                2},
        {{"open_tree", "open_tree", ENFILE},              3},
    };
    for (size_t i = 0; i < sizeof(masks) / sizeof(*masks); i++) {
        struct mask mask = masks[i].mask;
        int status = in_child(doubt_masked, &mask);
        ck_assert_msg(status == masks[i].expect << 8, "%s, %d: %x", mask.call, mask.answer, status);
    }
}
END_TEST

/* Refused as such is certain; a shortage is not. */
static int try_masked(void *data)
{
    const struct mask *mask = data;
    struct sbx_feature features[SBX_TRIALS_MAX];
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO((unsigned)mask->answer),
                         seccomp_syscall_resolve_name(mask->call), 0) ||
        seccomp_load(filter))
        return 91;
    for (size_t i = 0; i < sbx_trial_run(features); i++)
        if (!strcmp(features[i].name, mask->feature))
            return features[i].is_present ? 3 : features[i].is_doubtful ? 2 : 1;
    return 92;
}

START_TEST(what_is_tried_is_certain_or_not)
{
    static const struct {
        struct mask mask;
        int expect;
    } masks[] = {
        {{"unshare", "new-namespaces", EPERM},  1},
        {{"unshare", "new-namespaces", ENOSPC}, 2},
        {{"unshare", "new-namespaces", ENOMEM}, 2},
        {{"mount", "new-mounts", EACCES},       1},
        {{"mount", "new-mounts", ENOMEM},       2},
        {{"mkdir", "control-groups", EROFS},    1},
        {{"mkdir", "control-groups", ENOSPC},   2},
        {{"chroot", "new-namespaces", EPERM},   3},
    };
    if (!has_root("what_is_tried_is_certain_or_not"))
        return;
    for (size_t i = 0; i < sizeof(masks) / sizeof(*masks); i++) {
        struct mask mask = masks[i].mask;
        int status = in_child(try_masked, &mask);
        ck_assert_msg(status == masks[i].expect << 8, "%s, %d: %x", mask.call, mask.answer, status);
    }
}
END_TEST

Suite *kernel_suite(void)
{
    Suite *suite = suite_create("kernel");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, every_feature_says_something);
    tcase_add_test(tcase, what_is_masked_is_named);
    tcase_add_test(tcase, all_that_is_missing_is_named);
    tcase_add_test(tcase, a_shortage_is_no_absence);
    tcase_add_test(tcase, what_is_tried_is_certain_or_not);
    suite_add_tcase(suite, tcase);
    return suite;
}
