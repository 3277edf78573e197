/* What words become: known, (one of several), ? for what is not known. Each case is a kind of mistake that
 * was once made: a word that seemed certain and was another one in bash. */
#include <check.h>

#include "judge_text.h"
#include "policy/judge_state.h"

Suite *expand_suite(void);

struct seen {
    char text[2048];
};

static void add(struct seen *seen, const char *text)
{
    size_t used = strlen(seen->text);
    (void)snprintf(seen->text + used, sizeof(seen->text) - used, "%s", text);
}

/* The last command of the name x. */
static void gather(void *data, const struct sbx_argv *argv, bool guessed)
{
    struct seen *seen = data;
    if (!sbx_value_is(argv->word[0], "x"))
        return;
    seen->text[0] = 0;
    for (uint32_t i = 1; i < argv->count; i++) {
        const struct sbx_value *v = argv->word[i];
        add(seen, i > 1 ? "|" : "");
        add(seen, v->unsure ? "(" : "");
        for (uint32_t k = 0; k < v->len; k++) {
            char byte[] = {sbx_mask_unknown(sbx_value_mask(v, k)) ? '?' : v->text[k], 0};
            add(seen, byte);
        }
        add(seen, v->unsure ? ")" : "");
    }
    add(seen, guessed ? " guessed" : "");
}

struct expansion_case {
    const char *text, *words;
};

static void expect_words(const struct expansion_case *cases, size_t count)
{
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    const struct sbx_context context = {.policy = policy, .cwd = "/home/agent/work/proj"};
    for (size_t i = 0; i < count; i++) {
        struct seen seen = {.text = ""};
        struct sbx_verdict verdict;
        const struct sbx_trace trace = {.words = gather, .data = &seen};
        sbx_judge_traced(&context, cases[i].text, strlen(cases[i].text), &trace, &verdict);
        ck_assert_msg(!strcmp(seen.text, cases[i].words), "%s: %s, not %s", cases[i].text,
                      seen.text, cases[i].words);
    }
    free(policy);
}
#define EXPECT_WORDS(cases) expect_words(cases, sizeof(cases) / sizeof(*(cases)))

START_TEST(operators)
{
    static const struct expansion_case cases[] = {
        {"unset u; x ${u:-\"a b\" c} ${u-}",                              "a b|c"           },
        {"v=1; x ${v:+\"a b\" c} ${v:+'*'}",                              "a b|c|*"         },
        {"u=; x \"${u:-}\" \"${@:-}\"",                                   "|()|(?)"         },
        {"v=hello; x ${v^^[el]} ${v/l*/X} ${v//l/\"*\"}",                 "hELLo|heX|he**o" },
        {"v='a*'; x \"${v%\"*\"}\" \"${v#a}\"",                           "a|*"             },
        {"v=\"it's\"; x \"${v@Q}\" \"${v@A}\"",                           "'it'\\''s'|?"    },
        {"v=abc; x ${v/b/[&]}",                                           "?"               },
        {"v=a-b_c; x ${v##*[-_]} ${v//[!a-c]/.} ${v%%?[_]*} ${v/\\-/+}",  "c|a.b.c|a-|a+b_c"},
        {"v=a1]; x ${v//[[:digit:]]/n} ${v//[]]/n} ${v//[^[:alpha:]]/_}", "an]|a1n|a__"     },
        {"v=; x \"${v//*/q}\" \"${v/a/q}\"",                              "q|"              },
        {"v=b; x ${v/#/pre} ${v/%/post}",                                 "preb|bpost"      },
        {"v=\xc3\xa9; x ${v^^} ${v:0:1}",                                 "?|?"             },
        {"n=y y=z; x ${!n} ${!q}",                                        "z|?"             },
    };
    EXPECT_WORDS(cases);
}
END_TEST

START_TEST(splitting)
{
    static const struct expansion_case cases[] = {
        {"IFS=:; v=a::b; x $v",            "a||b"    },
        {"IFS=:; v=:a:; x $v",             "|a"      },
        {"IFS=' :'; v='a : b:c'; x $v",    "a|b|c"   },
        {"IFS=$(y); v='a b'; x $v \"$v\"", "?|a b"   },
        {"IFS=,; set -- 1 2; x \"$*\" $*", "1,2|1|2" },
        {"IFS=: y; v=a:b; x $v",           "a:b"     },
        {"v=' a '; x ''$v -$v-",           "|a|-|a|-"},
        {"x $(echo --o=v) $(echo -n q)",   "--o=v|q" },
    };
    EXPECT_WORDS(cases);
}
END_TEST

START_TEST(braces)
{
    static const struct expansion_case cases[] = {
        {"x {01..03} {1..7..3} {c..a}", "01|02|03|1|4|7|c|b|a"        },
        {"v='a b'; x ${v}{1,2}",        "a|b1|a|b2"                   },
        {"v=1; x $v{a,-b}",             "?|?-b"                       },
        {"x {a,{b,$v}{c,d}}",           "a|bc|bd|?|?"                 },
        {"set +B; x {a,b}",             "?"                           },
        {"declare v={a..c}; x $v",      "?"                           },
        {"x ~nobody/q",                 "(/home/nobody/q)|(~nobody/q)"},
        {"HOME=/h; x ~ $HOME",          "/h|/h"                       },
    };
    EXPECT_WORDS(cases);
}
END_TEST

START_TEST(lists)
{
    static const struct expansion_case cases[] = {
        {"a=(); x \"${a[@]}\" b",                       "b"            },
        {"a=(1 2 3); x \"${a[@]:1}\" ${a[-1]}",         "?|(1)|(2)|(3)"},
        {"a=(p q); a[0]=z; x \"${a[@]}\"",              "z|q"          },
        {"declare -A m=([k]=v); x \"${m[k]}\"",         "(v)|()"       },
        {"a=(p); if y; then a+=(q); fi; x \"${a[@]}\"", "(p)|(p)|(q)"  },
        {"a=(p q); x \"-${a[@]}-\" \"${a[*]}\"",        "-p|q-|p q"    },
        {"a=($(y) q); x \"${a[1]}\"",                   "(?)|(q)|()"   },
        {"x \"$@\" z",                                  "?|z"          },
        {"set -- ; x \"$@\" z",                         "z"            },
        {"set -- a b; shift; x $1 $# \"$@\"",           "b|?|b"        },
        {"set -- a; set +f; x $1",                      "a"            },
        {"set -- a b; while y; do x $1; shift; done",   "?"            },
    };
    EXPECT_WORDS(cases);
}
END_TEST

START_TEST(state)
{
    static const struct expansion_case cases[] = {
        {"f() { local v=in; }; v=out; f; x $v",          "out"                                          },
        {"local v=1; x $v",                              "(1)|(?)"                                      },
        {"y && v=1; x $v",                               "(1)|(?)"                                      },
        {"if y; then v=1; else x $v; fi",                "(1)|(?)"                                      },
        {"v=a; for i in 1 2 3; do v=$v$i; done; x $v",   "(a)|(?)|(?)"                                  },
        {"v=1; ((v++)); x $v",                           "?"                                            },
        {"v=1; let v+=2; x $v",                          "?"                                            },
        {"declare -i v=2; v+=3; x $v",                   "?"                                            },
        {"v=1; while y; do v=2; break; v=3; done; x $v", "(1)|(2)|(3)|(2)|(3)"                          },
        {"RANDOM=5; x $RANDOM",                          "?"                                            },
        {"f() { x $v; y && { v=2; f; }; }; v=1; f",      "(1)|(2)|(?)"                                  },
        {"v=1; y & v=2 & x $v",                          "1"                                            },
        {"declare -n r=v; v=1; r=2; x $v",               "2"                                            },
        {"cd sub; x $PWD",                               "(/home/agent/work/proj/sub)|(?)"              },
        {"eval x $((1))",                                "_ guessed"                                    },
        {"eval x ~nobody",                               "/home/nobody|(/home/nobody)|(~nobody) guessed"},
        {"for i in $(y); do :; done; x $i",              "(?)|(?)"                                      },
    };
    EXPECT_WORDS(cases);
}
END_TEST

START_TEST(functions_in_doubt)
{
    static const struct judged cases[] = {
        {SBX_DENY,  SBX_CLASS_NONE,          "frob() { sudo ls; }; frob"                },
        {SBX_DENY,  SBX_CLASS_FS_DESTROY,    "(rm() { :; }); rm -rf ~"                  },
        {SBX_DENY,  SBX_CLASS_FS_DESTROY,    "rm() { :; }; unset -f rm; rm -rf ~"       },
        {SBX_DENY,  SBX_CLASS_FS_DESTROY,    "if y; then rm() { :; }; fi; rm -rf ~"     },
        {SBX_DENY,  SBX_CLASS_FS_DESTROY,    "set -- rm -rf ~; while y; do \"$@\"; done"},
        {SBX_ASK,   SBX_CLASS_SHELL_EVASION, "set -- ls; while y; do $1; shift; done"   },
        {SBX_ALLOW, SBX_CLASS_NONE,          "frob() { ls; }; unset -f frob; frob"      },
    };
    EXPECT(cases);
}
END_TEST

Suite *expand_suite(void)
{
    Suite *suite = suite_create("expand");
    TCase *tests = tcase_create("expand");
    tcase_add_test(tests, operators);
    tcase_add_test(tests, splitting);
    tcase_add_test(tests, braces);
    tcase_add_test(tests, lists);
    tcase_add_test(tests, state);
    tcase_add_test(tests, functions_in_doubt);
    suite_add_tcase(suite, tests);
    return suite;
}
