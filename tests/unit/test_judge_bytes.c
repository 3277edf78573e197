/* Characters that nobody sees or takes for others: which one it is, and where, stands in the verdict. */
#include <check.h>

#include "judge_text.h"

Suite *judge_bytes_suite(void);

struct odd {
    const char *text;
    size_t len; /* 0: up to the NUL */
    uint32_t at;
    const char *spelled;
};

/* Class, place and spelling: in the log's words and in those for the agent. */
static void expect_odd(const struct odd *cases, size_t count)
{
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    const struct sbx_context context = {.policy = policy, .cwd = "/home/agent/work/proj"};
    for (size_t i = 0; i < count; i++) {
        size_t len = cases[i].len ? cases[i].len : strlen(cases[i].text);
        struct sbx_verdict v;
        char place[32];
        sbx_judge(&context, cases[i].text, len, &v);
        (void)snprintf(place, sizeof(place), "%s at byte %u", cases[i].spelled, cases[i].at);
        ck_assert_msg(v.verdict == SBX_DENY && v.class == SBX_CLASS_SHELL_EVASION,
                      "case %zu: %s, class %s", i, sbx_verdict_name(v.verdict),
                      sbx_class_name(v.class));
        ck_assert_msg(v.begin == cases[i].at && v.end > v.begin && v.end <= len,
                      "case %zu: bytes %u to %u", i, v.begin, v.end);
        ck_assert_msg(strstr(v.rule, place) != NULL, "case %zu: %s", i, v.rule);
        ck_assert_msg(strstr(v.reason, place) == v.reason, "case %zu: %s", i, v.reason);
    }
    free(policy);
}
#define EXPECT_ODD(cases) expect_odd(cases, sizeof(cases) / sizeof(*(cases)))

START_TEST(in_names)
{
    static const struct odd cases[] = {
        {"l\0s -l",               6, 1,  "\\x00"      },
        {"l\x1b[31ms -l",         0, 1,  "\\x1b"      },
        {"ls\x7f",                0, 2,  "\\x7f"      },
        {"l\xe2\x80\xaes",        0, 1,  "\\u202e"    },
        {"l\xe2\x80\x8bs",        0, 1,  "\\u200b"    },
        {"\xef\xbb\xbfls",        0, 0,  "\\ufeff"    },
        {"ls\xc2\xa0-l",          0, 2,  "\\u00a0"    },
        {"l\xffs",                0, 1,  "\\xff"      },
        {"l\xc0\xafs",            0, 1,  "\\xc0"      },
        {"r\xd0\xbc x",           0, 1,  "\\u043c"    },
        {"/usr/b\xd1\x96n/ls",    0, 6,  "\\u0456"    },
        {"/bin/r\xd0\xbc x",      0, 6,  "\\u043c"    },
        {"echo a; r\xd0\xbc x",   0, 9,  "\\u043c"    },
        {"bash -c 'r\xd0\xbc x'", 0, 10, "\\u043c"    },
        {"\xf0\x9d\x97\x8bm x",   0, 0,  "\\U0001d5cb"},
    };
    EXPECT_ODD(cases);
}
END_TEST

START_TEST(in_options)
{
    static const struct odd cases[] = {
        {"ls -\0l",                       6, 4,  "\\x00"      },
        {"ls -l\r",                       0, 5,  "\\x0d"      },
        {"git log --one\x08line",         0, 13, "\\x08"      },
        {"git log --one\xe2\x81\xa6line", 0, 13, "\\u2066"    },
        {"git log --one\xc2\xadline",     0, 13, "\\u00ad"    },
        {"git log --one\xe2\x80\x8dline", 0, 13, "\\u200d"    },
        {"ls -\xf3\xa0\x81\x81l",         0, 4,  "\\U000e0041"},
        {"ls -l\x80",                     0, 5,  "\\x80"      },
    };
    EXPECT_ODD(cases);
}
END_TEST

START_TEST(in_paths)
{
    static const struct odd cases[] = {
        {"cat a\0b",                7, 5,  "\\x00"  },
        {"cat src/a\x0b.c",         0, 9,  "\\x0b"  },
        {"cat src/a\xe2\x80\xaf.c", 0, 9,  "\\u202f"},
        {"cat src/\xe2\x80\x8f.c",  0, 8,  "\\u200f"},
        {"cat src/\xe2\x80\x8b.c",  0, 8,  "\\u200b"},
        {"cat src/\xed\xa0\x80.c",  0, 8,  "\\xed"  },
        {"echo x > out\xfe",        0, 12, "\\xfe"  },
    };
    EXPECT_ODD(cases);
}
END_TEST

/* What bash made of an escape stands nowhere: the command as a whole is named. */
START_TEST(from_expansions)
{
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    struct sbx_verdict v = judge_with(policy, "true; $'r\\u043c' x");
    ck_assert_int_eq(v.verdict, SBX_DENY);
    ck_assert_uint_eq(v.begin, 6);
    ck_assert_ptr_nonnull(strstr(v.rule, "\\u043c"));
    ck_assert_ptr_null(strstr(v.rule, " at byte"));
    v = judge_with(policy, "gr\xc3\xbcn x");
    ck_assert_int_eq(v.verdict, SBX_ASK);
    ck_assert_uint_eq(v.begin, 2);
    ck_assert_uint_eq(v.end, 4);
    free(policy);
}
END_TEST

/* Text is text: operands, options and folders may have any letters, quoted text any character. */
START_TEST(elsewhere)
{
    static const struct judged cases[] = {
        {SBX_ALLOW, SBX_CLASS_NONE,
         "cat gr\xc3\xbc\xc3\x9f"
         "e.txt"                                                            },
        {SBX_ALLOW, SBX_CLASS_NONE, "git commit --author=J\xc3\xbcrgen -m x"},
        {SBX_ALLOW, SBX_CLASS_NONE, "./gr\xc3\xbcn/x.sh"                    },
        {SBX_ALLOW, SBX_CLASS_NONE, "cat src/\xd1\x81.c"                    },
        {SBX_ALLOW, SBX_CLASS_NONE, "echo 'a\xe2\x80\x8b'"                  },
        {SBX_ALLOW, SBX_CLASS_NONE, "printf '\\x1b[0m'"                     },
    };
    EXPECT(cases);
}
END_TEST

Suite *judge_bytes_suite(void)
{
    Suite *suite = suite_create("judge_bytes");
    TCase *tcase = tcase_create("bytes");
    tcase_add_test(tcase, in_names);
    tcase_add_test(tcase, in_options);
    tcase_add_test(tcase, in_paths);
    tcase_add_test(tcase, from_expansions);
    tcase_add_test(tcase, elsewhere);
    suite_add_tcase(suite, tcase);
    return suite;
}
