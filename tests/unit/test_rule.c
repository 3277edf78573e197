#include <check.h>

#include "policy/rule.h"
#include "policy_text.h"

Suite *rule_suite(void);

START_TEST(parses)
{
    static const struct {
        const char *text;
        enum sbx_tool tool;
        enum sbx_rule_form form;
        const char *content;
    } cases[] = {
        {"Bash",                           SBX_TOOL_BASH,     SBX_FORM_ANY,      ""                           },
        {"Bash()",                         SBX_TOOL_BASH,     SBX_FORM_ANY,      ""                           },
        {"Bash(*)",                        SBX_TOOL_BASH,     SBX_FORM_ANY,      ""                           },
        {"Bash(:*)",                       SBX_TOOL_BASH,     SBX_FORM_ANY,      ""                           },
        {"Bash(npm run test)",             SBX_TOOL_BASH,     SBX_FORM_EXACT,    "npm\x1frun\x1ftest"         },
        {"Bash(npm  run:*)",               SBX_TOOL_BASH,     SBX_FORM_PREFIX,   "npm\x1frun"                 },
        {"Bash(npm run *)",                SBX_TOOL_BASH,     SBX_FORM_PREFIX,   "npm\x1frun"                 },
        {"Bash(git * main)",               SBX_TOOL_BASH,     SBX_FORM_WILDCARD, "git\x1f\x1e\x1fmain"        },
        {"Bash(git * push:*)",             SBX_TOOL_BASH,     SBX_FORM_WILDCARD, "git\x1f\x1e\x1fpush\x1f\x1e"},
        {"Bash(echo \"a b\" 'c*' \\*)",    SBX_TOOL_BASH,     SBX_FORM_WILDCARD,
         "echo\x1f"
         "a b\x1f"
         "c\x1e\x1f*"                                                                                         },
        {"Bash(echo it's)",                SBX_TOOL_BASH,     SBX_FORM_EXACT,    "echo\x1fit's"               },
        {"Bash(a (b) c)",                  SBX_TOOL_BASH,     SBX_FORM_EXACT,
         "a\x1f(b)\x1f"
         "c"                                                                                                  },
        {"Bash(echo a ; rm b)",            SBX_TOOL_BASH,     SBX_FORM_EXACT,
         "echo\x1f"
         "a\x1f;\x1frm\x1f"
         "b"                                                                                                  },
        {"Read(~/x)",                      SBX_TOOL_READ,     SBX_FORM_EXACT,    "~/x"                        },
        {"FileRead(~/x/*)",                SBX_TOOL_READ,     SBX_FORM_WILDCARD, "~/x/*"                      },
        {"Edit",                           SBX_TOOL_EDIT,     SBX_FORM_ANY,      ""                           },
        {"Write(//x)",                     SBX_TOOL_EDIT,     SBX_FORM_EXACT,    "//x"                        },
        {"MultiEdit(x)",                   SBX_TOOL_EDIT,     SBX_FORM_EXACT,    "x"                          },
        {"FileEdit(x)",                    SBX_TOOL_EDIT,     SBX_FORM_EXACT,    "x"                          },
        {"WebFetch",                       SBX_TOOL_WEBFETCH, SBX_FORM_ANY,      ""                           },
        {"WebFetch(domain:*.example.com)", SBX_TOOL_WEBFETCH, SBX_FORM_WILDCARD, "*.example.com"              },
        {"WebFetch(domain:a.com:443)",     SBX_TOOL_WEBFETCH, SBX_FORM_EXACT,    "a.com:443"                  },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sbx_rule_parts parts;
        struct sbx_err err = SBX_ERR_INIT;
        ck_assert_msg(!sbx_rule_parse(cases[i].text, &parts, &err), "%s: %s", cases[i].text,
                      err.message);
        ck_assert_msg(parts.tool == cases[i].tool && parts.form == cases[i].form, "%s",
                      cases[i].text);
        ck_assert_str_eq(parts.content, cases[i].content);
    }
}
END_TEST

START_TEST(refuses_with_a_suggestion)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"bash(x)",                        "did you mean Bash?"     },
        {"Raed(x)",                        "did you mean Read?"     },
        {"Fetch(x)",                       "no tool"                },
        {"",                               "no tool"                },
        {"(x)",                            "no tool"                },
        {"Bash(x",                         "no closing"             },
        {"Bash)x(",                        "no tool"                },
        {"Bash(x) ; comment",              "text after the last ')'"},
        {"Bash( )",                        "nothing but white space"},
        {"WebFetch(example.com)",          "domain:"                },
        {"WebFetch(domain:https://x.com)", "without scheme"         },
        {"Read(~bob/x)",                   "~name"                  },
        {"Edit(a/../b)",                   "'..'"                   },
        {"Edit(a/[b)",                     "no ]"                   },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sbx_rule_parts parts;
        struct sbx_err err = SBX_ERR_INIT;
        ck_assert_msg(sbx_rule_parse(cases[i].text, &parts, &err), "%s", cases[i].text);
        ck_assert_msg(strstr(err.message, cases[i].says), "%s: %s", cases[i].text, err.message);
    }
}
END_TEST

#define WORDS_MAX 16

/* Splits at '|'; "?" is a word that is not known. */
static struct sbx_words words_of(struct sbx_arena *arena, const char *text)
{
    const char *words[WORDS_MAX];
    size_t count = 0;
    struct sbx_words out;
    struct sbx_err err = SBX_ERR_INIT;
    for (const char *at = text; *text; at += strcspn(at, "|") + 1) {
        size_t len = strcspn(at, "|");
        char *word = sbx_arena_strndup(arena, at, len);
        words[count++] = strcmp(word, "?") ? word : NULL;
        if (!at[len])
            break;
    }
    ck_assert_int_eq(sbx_words_join(arena, words, count, &out, &err), 0);
    return out;
}

static const char *find(const struct sbx_policy *policy, enum sbx_rule_action action,
                        const char *command)
{
    struct sbx_arena arena;
    sbx_arena_init(&arena, 100000);
    struct sbx_words words = words_of(&arena, command);
    const struct sbx_rule *rule = sbx_rules_find(policy, action, &words);
    /* The index must find just what looking at every rule finds. */
    const struct sbx_rule *slow = NULL;
    uint32_t count = 0;
    const struct sbx_rule *rules = sbx_policy_rules(policy, &count);
    for (uint32_t i = 0; i < count && !slow; i++)
        if (rules[i].action == action && sbx_rule_matches_words(policy, &rules[i], &words))
            slow = &rules[i];
    ck_assert_msg(rule == slow, "%s: index and list disagree", command);
    sbx_arena_free(&arena);
    return rule ? sbx_policy_text(policy, rule->text) : "-";
}

START_TEST(matches_words)
{
    struct sbx_policy *policy = policy_of("[permissions]\n"
                                          "deny = Bash(npm run test)\n"
                                          "deny = Bash(npm publish:*)\n"
                                          "deny = Bash(git * main)\n"
                                          "deny = Bash(*curl*)\n"
                                          "deny = Bash(make)\n"
                                          "deny = Bash(make deploy *)\n"
                                          "deny = Read(~/x)\n");
    static const struct {
        const char *command, *rule;
    } cases[] = {
        {"npm|run|test",         "Bash(npm run test)" },
        {"npm|run|test|x",       "-"                  },
        {"npm|run",              "-"                  },
        {"npm|run test",         "-"                  },
        {"npm|publish",          "Bash(npm publish:*)"},
        {"npm|publish|x",        "Bash(npm publish:*)"},
        {"npm|publisher",        "-"                  },
        {"npm|publish x",        "-"                  },
        {"git|push|origin|main", "Bash(git * main)"   },
        {"git|main",             "-"                  },
        {"git|push|mainline",    "-"                  },
        {"curl",                 "Bash(*curl*)"       },
        {"x|a curl b",           "Bash(*curl*)"       },
        {"make",                 "Bash(make)"         },
        {"make|x",               "-"                  },
        {"make|deploy",          "Bash(make deploy *)"},
        {"make|deploy|x",        "Bash(make deploy *)"},
        {"npm|publish|?",        "Bash(npm publish:*)"},
        {"npm|?",                "-"                  },
        {"git|?|main",           "Bash(git * main)"   },
        {"",                     "-"                  },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        ck_assert_msg(!strcmp(find(policy, SBX_RULE_DENY, cases[i].command), cases[i].rule),
                      "%s gave %s", cases[i].command,
                      find(policy, SBX_RULE_DENY, cases[i].command));
    ck_assert_str_eq(find(policy, SBX_RULE_ALLOW, "make"), "-");
    free(policy);
}
END_TEST

/* What is not certain matches no allow rule, and no byte can make two words of one. */
START_TEST(allow_is_strict_where_deny_is_lenient)
{
    struct sbx_policy *policy = policy_of("[permissions]\n"
                                          "allow = Bash(npm run:*)\n"
                                          "allow = Bash(git log * x y)\n"
                                          "allow = Bash(ls)\n"
                                          "deny = Bash(rm -rf * x y)\n");
    ck_assert_str_eq(find(policy, SBX_RULE_ALLOW, "npm|run|a"), "Bash(npm run:*)");
    ck_assert_str_eq(find(policy, SBX_RULE_ALLOW, "npm|run|?"), "-");
    ck_assert_str_eq(find(policy, SBX_RULE_ALLOW, "npm\x1frun"), "-");
    ck_assert_str_eq(find(policy, SBX_RULE_ALLOW, "npm|run|a\x1e"), "-");
    ck_assert_str_eq(find(policy, SBX_RULE_ALLOW, "git|log|-1|x|y"), "Bash(git log * x y)");
    ck_assert_str_eq(find(policy, SBX_RULE_ALLOW, "git|log|-1|x y"), "-");
    ck_assert_str_eq(find(policy, SBX_RULE_DENY, "rm|-rf|z|x y"), "Bash(rm -rf * x y)");
    ck_assert_str_eq(find(policy, SBX_RULE_ALLOW, "ls|?"), "-");
    free(policy);
}
END_TEST

START_TEST(any_means_every_command)
{
    struct sbx_policy *policy = policy_of("[permissions]\nask = Bash\nallow = Bash(*)\n");
    ck_assert_str_eq(find(policy, SBX_RULE_ASK, "x|y"), "Bash");
    ck_assert_str_eq(find(policy, SBX_RULE_ASK, "?"), "Bash");
    ck_assert_str_eq(find(policy, SBX_RULE_ALLOW, "x"), "Bash(*)");
    ck_assert_str_eq(find(policy, SBX_RULE_ALLOW, "?"), "-");
    free(policy);
}
END_TEST

START_TEST(matches_paths_and_domains)
{
    struct sbx_policy *policy = policy_of("[permissions]\nask = Read(~/a)\nask = Edit(//b/**/*.c)\n"
                                          "ask = Read\n");
    uint32_t count = 0;
    const struct sbx_rule *rules = sbx_policy_rules(policy, &count);
    ck_assert_uint_eq(count, 3);
    ck_assert(sbx_rule_matches_path(policy, &rules[0], "/home/agent/a"));
    ck_assert(sbx_rule_matches_path(policy, &rules[0], "/home/agent/a/b"));
    ck_assert(!sbx_rule_matches_path(policy, &rules[0], "/home/agent/ab"));
    ck_assert(sbx_rule_matches_path(policy, &rules[1], "/b/x/y.c"));
    ck_assert(!sbx_rule_matches_path(policy, &rules[1], "/b/x/y.h"));
    ck_assert(sbx_rule_matches_path(policy, &rules[2], "/"));
    free(policy);
    ck_assert(sbx_domain_matches("example.com", "Example.COM.", 0));
    ck_assert(!sbx_domain_matches("example.com", "a.example.com", 0));
    ck_assert(sbx_domain_matches("*.example.com", "a.example.com", 443));
    ck_assert(!sbx_domain_matches("*.example.com", "example.com", 0));
    ck_assert(!sbx_domain_matches("*.example.com", "badexample.com", 0));
    ck_assert(sbx_domain_matches("example.com:443", "example.com", 443));
    ck_assert(!sbx_domain_matches("example.com:443", "example.com", 80));
    ck_assert(!sbx_domain_matches("example.com:443", "example.comx", 443));
    ck_assert(sbx_domain_matches("*", "anything", 1));
}
END_TEST

/* 10,000 rules: a verdict must not get slower with their number. */
START_TEST(many_rules_are_found_by_search)
{
    static char text[1024 * 1024];
    size_t used = (size_t)snprintf(text, sizeof(text), "[permissions]\n");
    for (int i = 0; i < 10000; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "deny = Bash(git c%d%s)\n", i,
                                 i % 3 == 0   ? ""
                                 : i % 3 == 1 ? ":*"
                                              : " * x");
    struct sbx_policy *policy = policy_of(text);
    struct sbx_arena arena;
    sbx_arena_init(&arena, 100000);
    struct sbx_words words = words_of(&arena, "git|c7777|a|b"), none = words_of(&arena, "git|d|x");
    for (int i = 0; i < 200000; i++) {
        ck_assert_ptr_null(sbx_rules_find(policy, SBX_RULE_DENY, &none));
        ck_assert_ptr_null(sbx_rules_find(policy, SBX_RULE_ALLOW, &words));
    }
    ck_assert_str_eq(find(policy, SBX_RULE_DENY, "git|c7777|a|b"), "Bash(git c7777:*)");
    ck_assert_str_eq(find(policy, SBX_RULE_DENY, "git|c7778|a"), "-");
    ck_assert_str_eq(find(policy, SBX_RULE_DENY, "git|c7778|a|x"), "Bash(git c7778 * x)");
    ck_assert_str_eq(find(policy, SBX_RULE_DENY, "git|c7776"), "Bash(git c7776)");
    ck_assert_str_eq(find(policy, SBX_RULE_DENY, "git|c7776|a"), "-");
    sbx_arena_free(&arena);
    free(policy);
}
END_TEST

Suite *rule_suite(void)
{
    Suite *suite = suite_create("rule");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, parses);
    tcase_add_test(tcase, refuses_with_a_suggestion);
    tcase_add_test(tcase, matches_words);
    tcase_add_test(tcase, allow_is_strict_where_deny_is_lenient);
    tcase_add_test(tcase, any_means_every_command);
    tcase_add_test(tcase, matches_paths_and_domains);
    tcase_add_test(tcase, many_rules_are_found_by_search);
    suite_add_tcase(suite, tcase);
    return suite;
}
