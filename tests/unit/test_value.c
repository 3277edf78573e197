/* Values of keys: what is refused with which words, and what is accepted. */
#include <check.h>

#include "policy/value.h"
#include "policy_text.h"

Suite *value_suite(void);

/* Parses one line in a section; `says` is what the fault must say, NULL where there must be none. */
static void check_line(const char *section, const char *line, const char *says)
{
    struct told told;
    struct sbx_config *config = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    char text[8192];
    ck_assert_int_eq(sbx_config_new(&config, &err), 0);
    int len = snprintf(text, sizeof(text), "[%s]\n%s\n", section, line);
    int status = told_parse(config, SBX_SCOPE_MANAGED, text, (size_t)len, &told);
    ck_assert_msg(!status == !says, "[%s] %s: %s", section, line, told.text);
    if (says)
        ck_assert_msg(strstr(told.text, says), "[%s] %s: '%s' does not say '%s'", section, line,
                      told.text, says);
    sbx_config_free(config);
}

static const struct {
    const char *section, *line, *says;
} refused[] = {
    {"sandbox",     "enabled = yse",                                                                       "did you mean yes?"                    },
    {"sandbox",     "enabled = yes ; comment",                                                             "neither yes nor no"                   },
    {"sandbox",     "mode = autoallow",                                                                    "did you mean auto-allow?"             },
    {"sandbox",     "mod = regular",                                                                       "did you mean mode?"                   },
    {"sandbx",      "mode = regular",                                                                      "did you mean [sandbox]?"              },
    {"Sandbox",     "mode = regular",                                                                      "did you mean [sandbox]?"              },
    {"sandbox",     "deny_read = x",                                                                       "belongs in [filesystem]"              },
    {"filesystem",  "deny-read = x",                                                                       "did you mean deny_read?"              },
    {"filesystem",  "view = everything",                                                                   "none of system|whole"                 },
    {"sandbox",     "mode = regular\nmode = regular",                                                      "is set already in line 2"             },
    {"filesystem",  "deny_read = /x\ndeny_read = /x",                                                      "stands already in line 2"             },
    {"filesystem",  "workspace = /.",                                                                      "cannot be /"                          },
    {"filesystem",  "allow_write = //",                                                                    "cannot be /"                          },
    {"filesystem",  "workspace = ~/w*",                                                                    "takes no globs"                       },
    {"filesystem",  "deny_read = ~bob/x",                                                                  "~name"                                },
    {"filesystem",  "deny_read = $USER/x",                                                                 "only $HOME"                           },
    {"filesystem",  "deny_read = /x/$HOME",                                                                "only $HOME"                           },
    {"filesystem",  "deny_read = \"/x\"",                                                                  "without quotes"                       },
    {"filesystem",  "deny_read = /x ; keys",                                                               "comments stand on a line of their own"},
    {"filesystem",  "deny_read = /x # keys",                                                               "comments stand on a line of their own"},
    {"filesystem",  "deny_read = !/x",                                                                     "opposite key"                         },
    {"filesystem",  "deny_read = /a/../b",                                                                 "'..'"                                 },
    {"filesystem",  "deny_read = /a/\\.\\./b",                                                             "'..'"                                 },
    {"filesystem",  "deny_read = /a[b",                                                                    "no ]"                                 },
    {"filesystem",  "deny_read = /a[[:alpha:]]",                                                           "write the range"                      },
    {"filesystem",  "deny_read = /a\\",                                                                    "backslash"                            },
    {"accounts",    "user = a, b",                                                                         "one name a line"                      },
    {"accounts",    "user = a b",                                                                          "one name a line"                      },
    {"accounts",    "user = 1000",                                                                         "odd name"                             },
    {"accounts",    "user = -x",                                                                           "odd name"                             },
    {"accounts",    "user = a/b",                                                                          "no name"                              },
    {"limits",      "memory_max = 4GB",                                                                    "no size"                              },
    {"limits",      "memory_max = 0",                                                                      "no size"                              },
    {"limits",      "memory_max = -1",                                                                     "no size"                              },
    {"limits",      "memory_max = 99999999999999999999",                                                   "no size"                              },
    {"limits",      "memory_max = 9000000000T",                                                            "no size"                              },
    {"limits",      "tasks_max = 0",                                                                       "no whole number"                      },
    {"limits",      "tasks_max = 0x10",                                                                    "no whole number"                      },
    {"limits",      "tasks_max = 9999999999",                                                              "cannot be meant"                      },
    {"limits",      "memory_max = 512",                                                                    "less than 1M"                         },
    {"limits",      "tmp_size = 64",                                                                       "cannot be meant"                      },
    {"environment", "path = bin",                                                                          "absolute directories"                 },
    {"environment", "path = /bin::/usr/bin",                                                               "absolute directories"                 },
    {"environment", "path = /bin:",                                                                        "absolute directories"                 },
    {"jail",        "hostname = a b",                                                                      "no host name"                         },
    {"jail",        "hostname = -x",                                                                       "no host name"                         },
    {"jail",        "hostname = a.1234567890123456789012345678901234567890123456789012345678901234567890",
     "no host name"                                                                                                                               },
    {"limits",      "cpu_quota = 50",                                                                      "no percentage"                        },
    {"jail",        "linger = 5 minutes",                                                                  "no duration"                          },
    {"jail",        "linger = m",                                                                          "no duration"                          },
    {"network",     "allow_domain = https://x.com",                                                        "without scheme"                       },
    {"network",     "allow_domain = x.com/path",                                                           "without scheme"                       },
    {"network",     "allow_domain = a.*.com",                                                              "no domain name"                       },
    {"network",     "allow_domain = *com",                                                                 "no domain name"                       },
    {"network",     "allow_domain = -a.com",                                                               "no domain name"                       },
    {"network",     "allow_domain = a..com",                                                               "no domain name"                       },
    {"network",     "allow_domain = 10.0.0.1",                                                             "is an address"                        },
    {"network",     "allow_domain = caf\xc3\xa9.com",                                                      "xn--"                                 },
    {"network",     "allow_domain = x.com:0",                                                              "no port"                              },
    {"network",     "allow_domain = x.com:70000",                                                          "no port"                              },
    {"network",     "allow_address = 10.0.0.0/33",                                                         "no address"                           },
    {"network",     "allow_address = 10.0.0.1/8",                                                          "bits behind"                          },
    {"network",     "allow_address = 10.0.0",                                                              "no address"                           },
    {"network",     "allow_address = [::1",                                                                "no address"                           },
    {"network",     "publish = http",                                                                      "no port"                              },
    {"environment", "set = 1A=x",                                                                          "NAME=value"                           },
    {"environment", "set = A",                                                                             "NAME=value"                           },
    {"environment", "set = A-B=x",                                                                         "no name of a variable"                },
    {"permissions", "deny = bash(x)",                                                                      "did you mean Bash?"                   },
    {"classifier",  "unparsed = allow",                                                                    "none of deny|ask"                     },
    {"classifier",  "fs-destory = deny",                                                                   "did you mean fs-destroy?"             },
    {"command",     "reads = 1",                                                                           "write [command NAME]"                 },
    {"command a b", "reads = 1",                                                                           "write [command NAME]"                 },
    {"command x",   "raeds = 1",                                                                           "did you mean reads?"                  },
};

START_TEST(bad_values_are_refused_with_a_suggestion)
{
    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
        check_line(refused[i].section, refused[i].line, refused[i].says);
}
END_TEST

START_TEST(good_values_are_accepted)
{
    static const struct {
        const char *section, *line;
    } cases[] = {
        {"sandbox",        "enabled : on"                                                    },
        {"filesystem",     "workspace = ~"                                                   },
        {"filesystem",     "deny_read = /a b/c;d#e"                                          },
        {"filesystem",     "deny_read = /x\ndeny_read = /y"                                  },
        {"accounts",       "user = svc.agent-1_x$"                                           },
        {"limits",         "memory_max = 4G\ntasks_max = 100\ncpu_quota = 150%"              },
        {"jail",           "linger = 0s\ngrace = 2d"                                         },
        {"network",        "allow_domain = *.example.com:443\nallow_domain = x_y.example.com"},
        {"network",        "allow_address = 10.0.0.0/8\nallow_address = 192.0.2.1:443"       },
        {"network",        "allow_address = [2001:db8::/32]:443\nallow_address = ::1"        },
        {"environment",    "set = A_1=a ; b"                                                 },
        {"environment",    "keep = LC_*"                                                     },
        {"command deploy", "wrapper = yes\nreads = 1\nreads = 2"                             },
        {"test",           "deny = rm -rf / ; echo"                                          },
        {"classifier",     "unparsed = ask\npath = log"                                      },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        check_line(cases[i].section, cases[i].line, NULL);
}
END_TEST

/* Every default of the key table is a value that its own key takes. */
START_TEST(the_table_keeps_its_own_rules)
{
    for (unsigned key = 0; key < SBX_KEY_COUNT; key++) {
        const struct sbx_key_row *row = &sbx_key_table[key];
        ck_assert_int_eq(sbx_key_find(row->section, row->key), (enum sbx_key)key);
        ck_assert_msg(strlen(row->section) < 50 && strlen(row->key) < 50, "%s", row->key);
        for (const char *word = row->fallback; word && *word;) {
            char text[64];
            int64_t number;
            struct sbx_err err = SBX_ERR_INIT;
            size_t len = strcspn(word, "|");
            (void)snprintf(text, sizeof(text), "%.*s", (int)len, word);
            ck_assert_msg(!sbx_value_check((enum sbx_key)key, text, &number, &err), "%s.%s: %s",
                          row->section, row->key, err.message);
            word += len + (word[len] == '|');
        }
        bool has_words = row->type == SBX_T_ENUM || row->type == SBX_T_ENUMLIST;
        ck_assert_msg(has_words == (row->values != NULL), "%s.%s", row->section, row->key);
    }
}
END_TEST

START_TEST(what_looks_like_a_comment_is_warned_of)
{
    struct told told;
    struct sbx_config *config = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    const char text[] = "[permissions]\ndeny = Bash(rm -rf /) ; (never)\ndeny = Bash(a ; b)\n";
    ck_assert_int_eq(sbx_config_new(&config, &err), 0);
    ck_assert_int_eq(told_parse(config, SBX_SCOPE_MANAGED, text, sizeof(text) - 1, &told), 0);
    ck_assert_ptr_nonnull(strstr(told.text, "2:8 permissions.deny: what looks like a comment"));
    sbx_config_free(config);
}
END_TEST

/* Valid, and hardly what was meant: `policy check` says so, logins go on. */
START_TEST(odd_values_are_warned_of)
{
    static const struct {
        const char *section, *line, *says; /* NULL: no word about it */
    } cases[] = {
        {"permissions", "deny = Bash(a ; b)",                "one rule a command"},
        {"permissions", "deny = Bash(curl * | sh)",          "one rule a command"},
        {"permissions", "deny = Bash(a), Bash(b)",           "one rule a command"},
        {"permissions", "deny = Bash(rm $HOME)",             "were put in"       },
        {"permissions", "deny = Bash(rm \"$HOME\")",         "were put in"       },
        {"permissions", "deny = Bash(rm ~/x)",               "were put in"       },
        {"permissions", "deny = Bash(git commit -m 'a; $')", NULL                },
        {"permissions", "deny = Bash(a \\; b~c)",            NULL                },
        {"permissions", "deny = Bash(npm run:*)",            NULL                },
        {"permissions", "deny = Edit(~/work/*/LICENSE)",     NULL                },
        {"filesystem",  "deny_read = ~/x, ~/y",              "repeat the key"    },
        {"filesystem",  "deny_read = ~/x,y",                 NULL                },
        {"credentials", "deny_env = A, B",                   "no variable"       },
        {"credentials", "deny_env = A=B",                    "no variable"       },
        {"environment", "keep = LC_*",                       NULL                },
        {"environment", "set = HOME=/x",                     "from passwd"       },
        {"environment", "set = HOMES=/x",                    NULL                },
        {"environment", "path = ~/bin:/bin:~",               NULL                },
        {"accounts",    "user = root",                       "never confined"    },
        {"sandbox",     "mode = regular",                    NULL                },
        {"limits",      "session_time = 1h",                 "without effect"    },
        {"audit",       "file = /x",                         "without effect"    },
        {"network",     "allow_domain = a.com",              "without effect"    },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct told told;
        struct sbx_config *config = NULL;
        struct sbx_err err = SBX_ERR_INIT;
        char text[256];
        int len = snprintf(text, sizeof(text), "[%s]\n%s\n", cases[i].section, cases[i].line);
        ck_assert_int_eq(sbx_config_new(&config, &err), 0);
        ck_assert_int_eq(told_parse(config, SBX_SCOPE_MANAGED, text, (size_t)len, &told), 0);
        ck_assert_msg(cases[i].says ? told.warnings == 1 && strstr(told.text, cases[i].says)
                                    : !told.warnings,
                      "%s: '%s'", cases[i].line, told.text);
        sbx_config_free(config);
    }
}
END_TEST

Suite *value_suite(void)
{
    Suite *suite = suite_create("value");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, bad_values_are_refused_with_a_suggestion);
    tcase_add_test(tcase, good_values_are_accepted);
    tcase_add_test(tcase, the_table_keeps_its_own_rules);
    tcase_add_test(tcase, what_looks_like_a_comment_is_warned_of);
    tcase_add_test(tcase, odd_values_are_warned_of);
    suite_add_tcase(suite, tcase);
    return suite;
}
