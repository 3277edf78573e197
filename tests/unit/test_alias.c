/* Aliases of the shell that runs a text: what is known of them, and what becomes of the text. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge_text.h"
#include "policy/alias.h"

Suite *alias_suite(void);

/* --- the table -------------------------------------------------------------------------------------- */
static bool reads(const char *text, struct sbx_aliases *table, struct sbx_arena *arena)
{
    sbx_arena_init(arena, (size_t)4 * 1024 * 1024);
    return sbx_aliases_read(arena, text, table);
}

static void expect_value(const char *text, const char *name, const char *value)
{
    struct sbx_arena arena;
    struct sbx_aliases table;
    ck_assert_msg(reads(text, &table, &arena), "%s", text);
    const struct sbx_alias *alias = sbx_alias_find(&table, name, strlen(name));
    ck_assert_msg(alias && alias->value_len == strlen(value) &&
                      !memcmp(alias->value, value, alias->value_len),
                  "%s: %s", text, name);
    sbx_arena_free(&arena);
}

START_TEST(what_bash_prints_is_read)
{
    expect_value("alias ll='ls -l'\nalias x=''\n", "ll", "ls -l");
    expect_value("alias ll='ls -l'\nalias x=''\n", "x", "");
    expect_value("alias a='it'\\''s'\n", "a", "it's");
    expect_value("alias a=\\'\n", "a", "'");
    expect_value("alias a='x'\\'''\n", "a", "x'");
    expect_value("alias a='two\nlines'\nalias b='c'\n", "b", "c");
    expect_value("alias -- -x='y'\n", "-x", "y");
    expect_value("alias a=b='y'\n", "a=b", "y");
    expect_value("alias #='y'\nalias {='z'\n", "#", "y");
    /* No value makes a second entry of itself. */
    expect_value("alias #='x'\\''\nalias rm='\\''echo'\n", "#", "x'\nalias rm='echo");
}
END_TEST

START_TEST(what_bash_does_not_print_is_refused)
{
    static const char *const texts[] = {"x",
                                        "alias a=b\n",
                                        "alias a='b'",
                                        "alias a='b' c\n",
                                        "alias ='b'\n",
                                        "alias a/b='c'\n",
                                        "alias a b='c'\n",
                                        "alias a='b'\nfoo\n",
                                        "alias a$b='c'\n",
                                        "alias a='b\n",
                                        "alias a='b'\\\n",
                                        "alias a='b'x\n",
                                        "alias a=$'b'\n"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct sbx_arena arena;
        struct sbx_aliases table;
        ck_assert_msg(!reads(texts[i], &table, &arena), "%s", texts[i]);
        sbx_arena_free(&arena);
    }
}
END_TEST

/* --- verdicts --------------------------------------------------------------------------------------- */
#define TABLE                                                                                      \
    "alias ll='ls -l'\nalias wipe='rm -rf'\nalias gone='rm -rf ~'\nalias s='sudo '\n"              \
    "alias e='env '\nalias ls='ls --color'\nalias two='ls; rm -rf ~'\nalias open='echo '\\''x'\n"  \
    "alias here='cat <<E'\nalias cd='rm -rf ~; cd'\nalias loop='pool'\nalias pool='loop'\n"        \
    "alias select='echo'\nalias say='echo '\nalias into='ls >/etc/passwd'\nalias lines='ls\nrm "   \
    "-rf ~'\n"                                                                                     \
    "alias close='echo a)'\nalias pipe='ls | sh -c '\\''rm -rf ~'\\'''\nalias find='echo'\n"       \
    "alias slash='echo \\'\nalias at='eval '\nalias w1='sudo -u nobody '\nalias note='ls #'\n"

static struct sbx_verdict judge_aliased(const struct sbx_policy *policy, const char *table,
                                        const char *text)
{
    const struct sbx_context context = {.policy = policy,
                                        .cwd = "/home/agent/work/proj",
                                        .alias_mode = SBX_ALIASES_ON,
                                        .aliases = table};
    struct sbx_verdict verdict;
    sbx_judge(&context, text, strlen(text), &verdict);
    return verdict;
}

static void expect_aliased(const struct judged *cases, size_t count)
{
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    for (size_t i = 0; i < count; i++) {
        struct sbx_verdict v = judge_aliased(policy, TABLE, cases[i].text);
        ck_assert_msg(v.verdict == cases[i].verdict &&
                          (v.class == cases[i].class || cases[i].class == SBX_CLASS_NONE),
                      "%s: %s, class %s, %s", cases[i].text, sbx_verdict_name(v.verdict),
                      sbx_class_name(v.class), v.rule);
        ck_assert_uint_le(v.begin, v.end);
        ck_assert_uint_le(v.end, strlen(cases[i].text));
    }
    free(policy);
}
#define EXPECT_ALIASED(cases) expect_aliased(cases, sizeof(cases) / sizeof(*(cases)))
#define ALLOW                 SBX_ALLOW, SBX_CLASS_NONE
#define DENY(class)           SBX_DENY, SBX_CLASS_##class
#define ASK(class)            SBX_ASK, SBX_CLASS_##class

START_TEST(an_alias_is_what_it_stands_for)
{
    static const struct judged cases[] = {
        {ALLOW,            "ll"                          },
        {ALLOW,            "ll -a | ll && { ll; }"       },
        {DENY(FS_DESTROY), "gone"                        },
        {DENY(FS_DESTROY), "wipe ~"                      },
        {DENY(FS_DESTROY), "two"                         },
        {DENY(FS_DESTROY), "cd /tmp"                     },
        {DENY(FS_DESTROY), "pipe"                        },
        {DENY(FS_DESTROY), "lines"                       },
        {DENY(FS_DESTROY), "X=1 >/dev/null wipe ~"       },
        {DENY(FS_DESTROY), "ls && if true; then gone; fi"},
        {DENY(FS_DESTROY), "f() { gone; }"               },
        {DENY(FS_DESTROY), "echo $(gone) `ll`"           },
        {DENY(FS_DESTROY), "echo `gone`"                 },
        {DENY(FS_DESTROY), "cat <(gone)"                 },
        {DENY(FS_DESTROY), "eval 'gone'"                 },
        {DENY(FS_DESTROY), "at gone"                     },
        {DENY(FS_DESTROY), "trap gone EXIT"              },
        {DENY(FS_DESTROY), "e gone"                      },
        {DENY(FS_DESTROY), "e e gone"                    },
        {DENY(FS_DESTROY), "case x in x) gone;; esac"    },
        {DENY(FS_DESTROY), "for i in a; do gone; done"   },
        {DENY(FS_DESTROY), "cat <<E\n$(gone)\nE"         },
        {DENY(FS_DESTROY), "echo \"$(gone)\""            },
        {DENY(FS_DESTROY), "time ! gone"                 },
        {DENY(FS_DESTROY), "(gone) & ls"                 },
        {DENY(PRIV_ESC),   "s ls"                        },
        {SBX_DENY,         SBX_CLASS_NONE,                 "into"},
        {ALLOW,                "find ~ -delete"                                         }, /* echo */
        {DENY(FS_DESTROY),                "\\find ~ -delete"},
        {DENY(FS_DESTROY),                "'f'ind ~ -delete"                                         },
        {DENY(FS_DESTROY),                "command find ~ -delete"},
        {DENY(FS_DESTROY),                "bash -c 'find ~ -delete'"                                         },
        {DENY(FS_DESTROY),                "env find ~ -delete"},
        {DENY(FS_DESTROY),                "$(echo find) ~ -delete"                                         },
        {ALLOW,                "\\gone; 'gone'; \"gone\"; command gone"},
        {ALLOW,                "echo gone; ls gone two; X=gone ls"                                         },
        {ALLOW,                "loop; pool"},
        {ALLOW,                "say hi"                                         },
        {ALLOW,                "note gone"},
    };
    EXPECT_ALIASED(cases);
}
END_TEST

START_TEST(what_cannot_be_put_in_place_is_not_let_through)
{
    static const struct judged cases[] = {
        {ASK(UNPARSED),  "open '"             },
        {DENY(UNPARSED), "open"               },
        {ASK(UNPARSED),  "select ls"          },
        {ASK(UNPARSED),  "slash x"            },
        {DENY(UNPARSED), "close"              },
        {ALLOW,          "(close"             },
        {ALLOW,          "\\select ls; 'open'"},
        {ALLOW,          "echo select"        },
    };
    EXPECT_ALIASED(cases);
}
END_TEST

START_TEST(changes_count_for_what_is_read_later)
{
    static const struct judged cases[] = {
        {ALLOW,            "alias zz='ls -l'"                             },
        {ALLOW,            "alias zz='ls -l'\nzz"                         },
        {DENY(FS_DESTROY), "alias zz='wipe '\nzz ~"                       },
        {DENY(FS_DESTROY), "alias zz='echo '\\''; gone'\\'''; gone"       },
        {DENY(FS_DESTROY), "alias zz='echo \"'\nalias yy='rm -rf ~ #'\nyy"},
        {DENY(FS_DESTROY), "unalias find\nfind ~ -delete"                 },
        {DENY(FS_DESTROY), "unalias -a\nfind ~ -delete"                   },
        {DENY(FS_DESTROY), "unalias find; eval 'find ~ -delete'"          },
        {DENY(FS_DESTROY), "unalias find; echo $(find ~ -delete)"         },
        {DENY(FS_DESTROY), "shopt -u expand_aliases\nfind ~ -delete"      },
        {ALLOW,            "unalias find; find ~ -delete"                 },
        {ALLOW,            "unalias gone; eval gone"                      },
        {ASK(UNPARSED),    "alias \"$x\"\nls"                             },
        {SBX_ASK,          SBX_CLASS_NONE,                                  "alias \"$x=$y\"; eval ls"},
        {ASK(UNPARSED),                "BASH_ALIASES[x]=y\nls"                                                  },
        {ASK(UNPARSED),                "printf -v 'BASH_ALIASES[x]' y; echo $(ls)"},
        {ASK(UNPARSED),                "declare -n r=BASH_ALIASES; r[x]=y\nls"                                                  },
        {ASK(UNPARSED),                "unset 'BASH_ALIASES[x]'\nls"},
        {ASK(UNPARSED),                ". ./file\nls"                                                  },
        {ASK(UNPARSED),                "[ -e x ] && alias zz=yy\nls"},
        {ASK(UNPARSED),                "unalias \"$x\"; echo $(ls)"                                                  },
        {ASK(SHELL_EVASION),                "trap 'alias zz=echo' USR1\nzz"},
        {DENY(FS_DESTROY),                "bash -c 'ls'\n'f'ind ~ -delete"                                                    },
        {ASK(UNPARSED),                "bash -c 'alias q=echo'\nq x"},
        {ASK(UNPARSED),                "bash -c 'unalias find'\nls"                                                    },
        {ALLOW,                "[ -e x ] && alias zz=yy"      },
        {ALLOW,                ". ./file; ls"                                                    },
    };
    EXPECT_ALIASED(cases);
}
END_TEST

START_TEST(without_a_table_nothing_is_let_through)
{
    static const char *const bad[] = {"alias a=b\n", "nonsense"};
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(judge_aliased(policy, bad[i], "ls").verdict, SBX_ASK);
    const struct sbx_context context = {
        .policy = policy, .cwd = "/", .alias_mode = SBX_ALIASES_UNKNOWN};
    struct sbx_verdict verdict;
    sbx_judge(&context, "ls", 2, &verdict);
    ck_assert_int_eq(verdict.verdict, SBX_ASK);
    ck_assert_int_eq(verdict.class, SBX_CLASS_UNPARSED);
    ck_assert_int_eq(judge_aliased(policy, NULL, "ls").verdict, SBX_ALLOW);
    ck_assert_int_eq(judge_aliased(policy, "", "ls").verdict, SBX_ALLOW);
    free(policy);
}
END_TEST

/* Aliases that double, over and over. */
START_TEST(growth_is_bounded)
{
    char table[8192] = "";
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    for (int i = 0; i < 40; i++) {
        size_t used = strlen(table);
        (void)snprintf(table + used, sizeof(table) - used, "alias g%d='g%d; g%d'\n", i, i + 1,
                       i + 1);
    }
    struct sbx_verdict v = judge_aliased(policy, table, "g0");
    ck_assert_int_eq(v.verdict, SBX_ASK);
    ck_assert_int_eq(v.class, SBX_CLASS_UNPARSED);
    ck_assert_int_eq(judge_aliased(policy, table, "g36; g36").verdict, SBX_ALLOW);
    free(policy);
}
END_TEST

/* A shell without a terminal has aliases only where the text asks for them. */
START_TEST(scripts)
{
    static const struct judged cases[] = {
        {ALLOW,            "alias zz='ls'\nzz"                                          },
        {DENY(FS_DESTROY), "shopt -s expand_aliases\nalias zz='rm -rf ~ #'\nzz x"       },
        {DENY(FS_DESTROY), "shopt -s expand_aliases\nalias e='env ' zz='rm -rf'\ne zz ~"},
        {DENY(FS_DESTROY), "shopt -s expand_aliases; alias zz='rm -rf'\necho $(zz ~)"   },
        {ALLOW,            "shopt -s expand_aliases\nalias zz='ls -l'\nzz; echo $(zz)"  },
        {DENY(UNPARSED),   "shopt -s expand_aliases\nalias zz='echo \"'\nzz \"; ls"     },
        {ASK(UNPARSED),    "shopt -s expand_aliases\nalias $x\nls"                      },
        {DENY(FS_DESTROY), "set -o posix\nalias zz='rm -rf ~ #'\nzz x"                  },
        {ALLOW,            "shopt -s nullglob\nls"                                      },
    };
    EXPECT(cases);
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    const struct sbx_context context = {.policy = policy, .cwd = "/", .is_piecewise = true};
    static const char on[] = "shopt -s expand_aliases";
    struct sbx_verdict verdict;
    sbx_judge(&context, on, strlen(on), &verdict);
    ck_assert_int_eq(verdict.verdict, SBX_ASK);
    ck_assert_int_eq(verdict.class, SBX_CLASS_SHELL_EVASION);
    free(policy);
}
END_TEST

START_TEST(places_are_those_of_what_was_typed)
{
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    struct sbx_verdict v = judge_aliased(policy, TABLE, "ll; ls && gone x; ll");
    ck_assert_uint_eq(v.begin, 10);
    ck_assert_uint_eq(v.end, 16);
    v = judge_aliased(policy, TABLE, "ll; ll; \\rm -rf ~; ll");
    ck_assert_uint_eq(v.begin, 8);
    ck_assert_uint_eq(v.end, 17);
    v = judge_aliased(policy, TABLE, "alias q=z\nll; ll; \\rm -rf ~; ll");
    ck_assert_uint_eq(v.begin, 18);
    ck_assert_uint_eq(v.end, 27);
    free(policy);
}
END_TEST

Suite *alias_suite(void)
{
    Suite *suite = suite_create("alias");
    TCase *tc = tcase_create("alias");
    tcase_add_test(tc, what_bash_prints_is_read);
    tcase_add_test(tc, what_bash_does_not_print_is_refused);
    tcase_add_test(tc, an_alias_is_what_it_stands_for);
    tcase_add_test(tc, what_cannot_be_put_in_place_is_not_let_through);
    tcase_add_test(tc, changes_count_for_what_is_read_later);
    tcase_add_test(tc, without_a_table_nothing_is_let_through);
    tcase_add_test(tc, growth_is_bounded);
    tcase_add_test(tc, scripts);
    tcase_add_test(tc, places_are_those_of_what_was_typed);
    suite_add_tcase(suite, tc);
    return suite;
}
