#include <check.h>
#include <stdio.h>
#include <string.h>

#include "policy/explain.h"
#include "judge_text.h"

Suite *known_suite(void);

/* The words of every command that is told, one command a line; ? for what is not known. */
static void gather(void *data, const struct sbx_told_command *command)
{
    char *out = data;
    for (uint32_t i = 0; i < command->words; i++) {
        size_t used = strlen(out);
        (void)snprintf(out + used, 4096 - used, "%s%s", i ? "|" : "", command->word[i]);
    }
    (void)strncat(out, "\n", 4096 - strlen(out) - 1);
}

static void skip_path(void *data, const struct sbx_told_path *path)
{
    (void)data;
    (void)path;
}

static void skip_finding(void *data, const struct sbx_told_finding *finding)
{
    (void)data;
    (void)finding;
}

START_TEST(words)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"x 'a b' \"c d\" e\\ f",                           "x|a b|c d|e f\n"               },
        {"x $'\\x41\\n'",                                   "x|A\n\n"                       },
        {"x ~ ~/a $HOME/b \"$PWD\"",
         "x|/home/agent|/home/agent/a|/home/agent/b|/home/agent/work/proj\n"                },
        {"x a{b,c}d {1..3} {b..a}",                         "x|abd|acd|1|2|3|b|a\n"         },
        {"v=1; x $v \"${v}2\" '$v'",                        "x|1|12|$v\n"                   },
        {"v='a b'; x $v \"$v\"",                            "x|a|b|a b\n"                   },
        {"x ${u:-d} ${u-e}",                                "x|d|e\n"                       },
        {"v=pqr; x ${v^^} ${v#p} ${v%r} ${v/q/X} ${v:1:1}", "x|PQR|qr|pq|pXr|q\n"           },
        {"v=abc; x ${#v}",                                  "x|?\n"                         },
        {"a=(p q); x \"${a[@]}\" ${a[1]}",                  "x|p|q|q\n"                     },
        {"n=v v=w; x ${!n}",                                "x|w\n"                         },
        {"x $(echo hi)",                                    "echo|hi\nx|hi\n"               },
        {"x $UNSEEN \"a$UNSEEN\"",                          "x|?|a?\n"                      },
        {"x $((1+1))",                                      "x|?\n"                         },
        {"set -- p q; x \"$@\" $2",                         "set|--|p|q\nx|p|q|q\n"         },
        {"for i in a b; do x $i; done",                     "x|a|b\n"                       },
        {"v=a; v+=b; x $v",                                 "x|ab\n"                        },
        {"(v=1); x $v",                                     "x|?\n"                         },
        {"v=a; if y; then v=b; fi; x $v",                   "y\nx|a|b\n"                    },
        {"read a b <<< 'p q'; x $a $b",                     "read|a|b\nx|p|q\n"             },
        {"printf -v v %s-%s p q; x $v",                     "printf|-v|v|%s-%s|p|q\nx|p-q\n"},
        {"x \"\" $(true)",                                  "true\nx|\n"                    },
    };
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    const struct sbx_context context = {.policy = policy, .cwd = "/home/agent/work/proj"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char seen[4096] = "";
        struct sbx_verdict verdict;
        const struct sbx_teller teller = {gather, skip_path, skip_finding, seen};
        sbx_judge_explained(&context, cases[i].text, strlen(cases[i].text), &teller, &verdict);
        ck_assert_msg(!strcmp(seen, cases[i].words), "%s:\n%snot\n%s", cases[i].text, seen,
                      cases[i].words);
    }
    free(policy);
}
END_TEST

Suite *known_suite(void)
{
    Suite *suite = suite_create("known");
    TCase *tests = tcase_create("words");
    tcase_add_test(tests, words);
    suite_add_tcase(suite, tests);
    return suite;
}
